theorem target : ¬ ∃ n : Nat, n < 0 := by sorry
