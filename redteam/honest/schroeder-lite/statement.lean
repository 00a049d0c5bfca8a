theorem target (r : α → β → Prop) (h : ∀ a, ∃ b, r a b) : ∃ f : α → β, ∀ a, r a (f a) := by sorry
