theorem target (n : Nat) : ∃ m, m = n + 1 := by sorry
