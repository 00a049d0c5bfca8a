theorem first (p : Prop) (h : p) : p := h
theorem second (p q : Prop) (h : p ∧ q) : q := first q h.2
