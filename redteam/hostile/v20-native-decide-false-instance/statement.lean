theorem target : (1 : Nat) = 2 := by sorry
