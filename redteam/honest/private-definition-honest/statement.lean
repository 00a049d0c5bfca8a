theorem target (n : Nat) : ∃ m, m ≤ n ∧ n - m ≤ m + 1 := by sorry
