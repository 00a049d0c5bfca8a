theorem target (α : Type) (h : Nonempty α) : ∃ _ : α, True := ⟨Classical.choice h, True.intro⟩
