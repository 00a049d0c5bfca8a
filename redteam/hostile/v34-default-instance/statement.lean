theorem target : 1 - 2 = 0 ∧ 0 = 1 := by sorry
