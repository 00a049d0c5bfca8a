theorem target (p q : Prop) : ((p → q) → p) → p := by sorry
