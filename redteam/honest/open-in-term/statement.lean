theorem target (a b : Nat) (h : a < b + 1) : a ≤ b := by sorry
