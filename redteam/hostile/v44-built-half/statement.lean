theorem target : 1 = 1 := by sorry
