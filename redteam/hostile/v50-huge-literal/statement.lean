theorem target : 2 ^ 2 ^ 70 = 3 := by sorry
