theorem target (x y : Int) (h : 2 * x = 2 * y) : x = y := by sorry
