theorem target (p q : Prop) : ¬(p ∨ q) ↔ ¬q ∧ ¬p := by sorry
