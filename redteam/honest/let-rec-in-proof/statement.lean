theorem target (n : Nat) : n ≤ 2 ^ n := by sorry
