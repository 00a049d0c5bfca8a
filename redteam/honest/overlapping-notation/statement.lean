theorem target : 1 + 2 + 3 = 6 := by sorry
