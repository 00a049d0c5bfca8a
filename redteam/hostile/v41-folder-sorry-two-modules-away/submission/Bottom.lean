theorem bottom (n : Nat) : n + 1 = n := by sorry
