theorem target (n : Nat) : n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact sorry
