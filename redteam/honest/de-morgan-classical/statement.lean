theorem target (p q : Prop) : ¬(p ∧ q) → ¬p ∨ ¬q := by sorry
