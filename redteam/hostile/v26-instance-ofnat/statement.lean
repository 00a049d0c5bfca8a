theorem target : (2 : Nat) = 1 := by sorry
