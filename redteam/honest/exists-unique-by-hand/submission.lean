theorem target (a b : Nat) (h : a ≤ b) : ∃ d, a + d = b ∧ ∀ e, a + e = b → e = d := 
  ⟨b - a, by omega, fun e he => by omega⟩
