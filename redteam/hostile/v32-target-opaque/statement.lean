theorem target : ∃ n : Nat, n = 3 := by sorry
