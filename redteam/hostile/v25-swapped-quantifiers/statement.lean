theorem target : ∃ m : Nat, ∀ n : Nat, n < m := by sorry
