theorem target (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩
