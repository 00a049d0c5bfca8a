theorem target (a b c d : Nat) (h : (a, b + 1) = (c, d + 1)) (k : c = 3) : a = 3 ∧ b = d := by
  injection h with h₁ h₂
  injection h₂ with h₃
  subst k
  exact ⟨h₁, h₃⟩
