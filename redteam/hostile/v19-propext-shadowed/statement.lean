theorem target (p q : Prop) (h : p → q) : p = q := by sorry
