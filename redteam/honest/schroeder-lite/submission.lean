theorem target (r : α → β → Prop) (h : ∀ a, ∃ b, r a b) : ∃ f : α → β, ∀ a, r a (f a) := by
  refine ⟨fun a => Classical.choose (h a), fun a => ?_⟩
  exact Classical.choose_spec (h a)
