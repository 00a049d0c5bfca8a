theorem target : (2 ^ 20) % 7 = 4 := by sorry
