theorem «thé» : 1 = 2 := by sorry
