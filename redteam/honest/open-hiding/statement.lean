theorem target (a b : Nat) : a ≤ a + b := by sorry
