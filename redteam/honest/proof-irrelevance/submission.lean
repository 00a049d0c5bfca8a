theorem target (p : Prop) (h₁ h₂ : p) : h₁ = h₂ := rfl
