-- More names than a constructor has arguments.
-- expect: error 6:2 contains "Too many variable names provided at alternative `succ`: 3 provided, but 2 expected"
theorem t (n : Nat) : n = n := by
  induction n with
  | zero => rfl
  | succ n ih extra => rfl
