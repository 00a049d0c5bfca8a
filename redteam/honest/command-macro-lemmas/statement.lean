theorem target : 1 < 2 ∧ 2 < 3 := by sorry
