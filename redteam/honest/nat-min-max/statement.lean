theorem target (a b : Nat) : min a b + max a b = a + b := by sorry
