theorem target (p : Nat → Prop) : (∃ x, (x = 1 ∨ x = 2) ∧ p x) → p 1 ∨ p 2 := by sorry
