theorem target (a b : Bool) : (a && b) = (b && a) := by sorry
