structure Hidden where
  a : Nat
  b : Nat
def pick : Nat := (Hidden.mk 1 2).2
theorem target : pick = 1 := by sorry
