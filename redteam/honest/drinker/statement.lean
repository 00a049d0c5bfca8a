theorem target (α : Type) [Nonempty α] (p : α → Prop) : ∃ x, p x → ∀ y, p y := by sorry
