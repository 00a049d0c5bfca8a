axiom oracle : ∀ {p : Prop}, p
theorem viaAuto {p : Prop} (h : p := by exact oracle) : p := h
theorem target (n : Nat) : n + 1 = n := viaAuto
