theorem target : (3 : Int) / 2 * 2 = 3 := by sorry
