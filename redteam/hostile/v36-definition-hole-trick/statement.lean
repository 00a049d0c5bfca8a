def bound : Nat := 5
theorem target : ∀ n : Nat, n < bound → n < 3 := by sorry
