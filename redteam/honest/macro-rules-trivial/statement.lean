theorem target (n : Nat) : n ≤ n + 3 := by sorry
