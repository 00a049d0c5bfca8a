theorem target (a b : Nat) (h : a < b) : a + 1 ≤ b := by sorry
