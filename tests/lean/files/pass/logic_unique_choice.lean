-- A choice function from a total relation, with `Classical.choose` and its specification.
theorem skolem {α β : Type} {r : α → β → Prop} (h : ∀ x, ∃ y, r x y) : ∃ f : α → β, ∀ x, r x (f x) :=
  ⟨fun x => Classical.choose (h x), fun x => Classical.choose_spec (h x)⟩

noncomputable def pick {α : Type} (h : Nonempty α) : α := Classical.choice h

theorem nonempty_of_exists {α : Type} {p : α → Prop} (h : ∃ x, p x) : Nonempty α :=
  let ⟨x, _⟩ := h
  ⟨x⟩
