theorem target (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry
