theorem target : (2 : Nat) = 3 := by sorry
