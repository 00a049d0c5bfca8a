theorem target : ∃ n : Nat, n ^ 2 + 1 = 0 := by sorry
