theorem target (α : Type) [Nonempty α] (p : α → Prop) : ∃ x, p x → ∀ y, p y := by
  by_cases h : ∀ y, p y
  · exact ⟨Classical.choice ‹_›, fun _ => h⟩
  · obtain ⟨x, hx⟩ := Classical.not_forall.mp h
    exact ⟨x, fun hp => absurd hp hx⟩
