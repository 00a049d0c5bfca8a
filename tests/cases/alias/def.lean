/-! A type alias made by `def`: `rw` and `simp` do not see the `List Bool` behind it. -/

def T2 := List Bool

def L2 : Nat → T2
  | 0 => ([] : List Bool)
  | n + 1 => (List.cons true (L2 n) : List Bool)

theorem use (n : Nat) (len : ∀ xs : List Bool, xs.length = n) : (L2 n).length = n := by
  rw [len]

theorem L2_length (n : Nat) : (L2 n).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => simp [L2, ih]
