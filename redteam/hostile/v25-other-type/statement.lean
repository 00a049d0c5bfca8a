theorem target : (2 : Int) - 3 = 0 := by sorry
