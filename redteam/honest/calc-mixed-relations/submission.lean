theorem target (a b c d : Nat) (h₁ : a = b) (h₂ : b < c) (h₃ : c ≤ d) : a < d := calc
  a = b := h₁
  _ < c := h₂
  _ ≤ d := h₃
