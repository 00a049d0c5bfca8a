theorem target (p q r : Prop) (h : (p ∨ q) ∧ r) : p ∧ r ∨ q ∧ r := by sorry
