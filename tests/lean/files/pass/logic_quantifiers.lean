-- Existential and universal quantifiers: exchange, distribution, unpacking.
variable {α β : Type} {p q : α → Prop}

theorem exists_comm' {r : α → β → Prop} : (∃ x, ∃ y, r x y) ↔ ∃ y, ∃ x, r x y := by
  constructor
  · rintro ⟨x, y, h⟩
    exact ⟨y, x, h⟩
  · rintro ⟨y, x, h⟩
    exact ⟨x, y, h⟩

theorem exists_or' : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x := by
  constructor
  · intro ⟨x, h⟩
    cases h with
    | inl h => exact Or.inl ⟨x, h⟩
    | inr h => exact Or.inr ⟨x, h⟩
  · intro h
    match h with
    | .inl ⟨x, hx⟩ => exact ⟨x, .inl hx⟩
    | .inr ⟨x, hx⟩ => exact ⟨x, .inr hx⟩

theorem forall_and' : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ ∀ x, q x :=
  ⟨fun h => ⟨fun x => (h x).1, fun x => (h x).2⟩, fun h x => ⟨h.1 x, h.2 x⟩⟩

theorem not_exists' : (¬∃ x, p x) ↔ ∀ x, ¬p x :=
  ⟨fun h x hx => h ⟨x, hx⟩, fun h ⟨x, hx⟩ => h x hx⟩
