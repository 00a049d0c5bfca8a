theorem target (p q r : Prop) (h : p ∧ (True → q)) (k : q → r ∨ False) : r := by sorry
