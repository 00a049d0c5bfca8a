theorem target (a b : Nat) : a + b = b + a := by sorry
