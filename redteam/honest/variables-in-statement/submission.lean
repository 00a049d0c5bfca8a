theorem target (α : Type) [DecidableEq α] (a b : α) : a = b ∨ a ≠ b := by
  by_cases h : a = b
  · exact Or.inl h
  · exact Or.inr h
