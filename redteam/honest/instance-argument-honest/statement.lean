theorem target (p q : Prop) [Decidable p] (h : ¬p → q) : p ∨ q := by sorry
