theorem target : ∃ x, x = (3 : Nat) ∧ x = 4 := by sorry
