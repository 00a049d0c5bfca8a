theorem target (n : Nat) : n + 1 = n + 1 := by sorry
