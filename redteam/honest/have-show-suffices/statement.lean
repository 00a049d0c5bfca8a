theorem target (p q r : Prop) (h : p → q) (k : q → r) : p → r := by sorry
