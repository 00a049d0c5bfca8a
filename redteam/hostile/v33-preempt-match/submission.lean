def f.match_1 (motive : Nat → Sort u) (n : Nat) (h0 : Unit → motive 0) (h1 : (n : Nat) → motive (n + 1)) : motive n := by
  cases n with
  | zero => exact h0 ()
  | succ n => exact h1 n
def f (n : Nat) : Nat := f.match_1 (fun _ => Nat) n (fun _ => 1) (fun _ => 1)
theorem target (n : Nat) : f n = 1 := by cases n <;> rfl
