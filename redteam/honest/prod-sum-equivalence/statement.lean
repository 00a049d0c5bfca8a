def out : (α ⊕ β) × γ → (α × γ) ⊕ (β × γ)
  | (.inl a, c) => .inl (a, c)
  | (.inr b, c) => .inr (b, c)
def back : (α × γ) ⊕ (β × γ) → (α ⊕ β) × γ
  | .inl (a, c) => (.inl a, c)
  | .inr (b, c) => (.inr b, c)
theorem target (x : (α ⊕ β) × γ) : back (out x) = x := by sorry
