def Below (a b : Nat) : Prop := ∃ k, a + k = b
infix:50 " ⊑ " => Below
instance : Trans Below Below Below where
  trans := fun ⟨k, hk⟩ ⟨l, hl⟩ => ⟨k + l, by omega⟩
theorem target (a b c d : Nat) (h₁ : a ⊑ b) (h₂ : b ⊑ c) (h₃ : c ⊑ d) : a ⊑ d := calc
  a ⊑ b := h₁
  _ ⊑ c := h₂
  _ ⊑ d := h₃
