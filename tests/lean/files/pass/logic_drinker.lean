-- The drinker's paradox, by cases on whether everybody drinks.
theorem drinker {α : Type} [Inhabited α] (drinks : α → Prop) : ∃ x, drinks x → ∀ y, drinks y := by
  by_cases h : ∀ y, drinks y
  · exact ⟨default, fun _ => h⟩
  · have ⟨x, hx⟩ : ∃ x, ¬drinks x := Classical.not_forall.mp h
    exact ⟨x, fun hd => absurd hd hx⟩
