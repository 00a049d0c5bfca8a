theorem target (n : Nat) : 2 * n + 1 = n + n + 1 := by sorry
