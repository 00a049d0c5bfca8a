theorem target (a b : Nat) : Eq a b := by sorry
