-- A recursor used directly, and a fold that is recursion in disguise.
noncomputable def double : Nat → Nat := fun n => Nat.rec 0 (fun _ r => r + 2) n

theorem double_eq (n : Nat) : double n = n + n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show double n + 2 = _
    rw [ih]
    omega

def iterate {α : Type} (f : α → α) : Nat → α → α
  | 0, a => a
  | n + 1, a => iterate f n (f a)

theorem iterate_comm {α : Type} (f : α → α) (n : Nat) (a : α) : iterate f n (f a) = f (iterate f n a) := by
  induction n generalizing a with
  | zero => rfl
  | succ n ih => exact ih (f a)
