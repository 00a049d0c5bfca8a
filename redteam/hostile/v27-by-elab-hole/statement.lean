theorem target : ∀ n : Nat, (by exact n : Nat) + 1 = n := by sorry
