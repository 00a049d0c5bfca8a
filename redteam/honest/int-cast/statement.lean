theorem target (a b : Nat) (h : a ≤ b) : (a : Int) ≤ b := by sorry
