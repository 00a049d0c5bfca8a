theorem second (p q : Prop) (h : p ∧ q) : q := h.2
theorem first (p : Prop) (h : p) : p := h
