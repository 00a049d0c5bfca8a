theorem target (f : α → β) (h : ∀ b, ∃ a, f a = b) : ∃ g : β → α, ∀ b, f (g b) = b := by sorry
