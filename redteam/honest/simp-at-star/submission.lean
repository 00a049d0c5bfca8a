theorem target (p q r : Prop) (h : p ∧ (True → q)) (k : q → r ∨ False) : r := by
  simp at *
  exact k h.2
