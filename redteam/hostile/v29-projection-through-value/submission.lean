structure Hidden where
  b : Nat
  a : Nat
def pick : Nat := (Hidden.mk 2 1).2
theorem target : pick = 1 := rfl
