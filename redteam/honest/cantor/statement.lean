theorem target (f : α → α → Prop) : ¬∀ s : α → Prop, ∃ a, f a = s := by sorry
