theorem target (α : Type) (h : Nonempty α) : ∃ _ : α, True := by sorry
