def g (a b : Nat) : Nat :=
  if h : b = 0 then a else g b (a % b)
termination_by b
decreasing_by exact Nat.mod_lt _ (Nat.pos_of_ne_zero h)
theorem target (a : Nat) : g a 0 = a := by
  rw [g]
  simp
