def c : Nat := 3
theorem target : ∃ n : Nat, n = c ∧ c = 4 := by sorry
