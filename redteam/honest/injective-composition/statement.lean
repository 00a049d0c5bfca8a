def Inj (f : α → β) : Prop := ∀ ⦃x y⦄, f x = f y → x = y
theorem target {f : α → β} {g : β → γ} (hg : Inj g) (hf : Inj f) : Inj (g ∘ f) := by sorry
