theorem target (a b : Nat) : a + b = b + a + 1 := by sorry
