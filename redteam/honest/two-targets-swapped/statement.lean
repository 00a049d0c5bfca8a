theorem first (p : Prop) (h : p) : p := by sorry
theorem second (p q : Prop) (h : p ∧ q) : q := by sorry
