-- Conjunction and existence encoded by quantification over propositions.
def And' (p q : Prop) : Prop := ∀ r : Prop, (p → q → r) → r
def Ex' {α : Type} (p : α → Prop) : Prop := ∀ r : Prop, (∀ x, p x → r) → r

theorem and'_iff {p q : Prop} : And' p q ↔ p ∧ q :=
  ⟨fun h => h (p ∧ q) And.intro, fun ⟨hp, hq⟩ _ k => k hp hq⟩

theorem ex'_iff {α : Type} {p : α → Prop} : Ex' p ↔ ∃ x, p x :=
  ⟨fun h => h _ fun x hx => ⟨x, hx⟩, fun ⟨x, hx⟩ _ k => k x hx⟩
