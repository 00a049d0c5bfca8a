theorem target (a b c : Nat) (h₁ : a ≤ b) (h₂ : b < c) : a < c := calc
  a ≤ b := h₁
  _ < c := h₂
