theorem target (a b : Int) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b := by sorry
