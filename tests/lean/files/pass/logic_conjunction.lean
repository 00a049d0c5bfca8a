-- Conjunction is commutative, associative and distributes over disjunction.
theorem and_swap' {p q : Prop} (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩

theorem and_assoc' {p q r : Prop} : (p ∧ q) ∧ r ↔ p ∧ (q ∧ r) := by
  constructor
  · rintro ⟨⟨hp, hq⟩, hr⟩
    exact ⟨hp, hq, hr⟩
  · rintro ⟨hp, hq, hr⟩
    exact ⟨⟨hp, hq⟩, hr⟩

theorem and_or_distrib {p q r : Prop} : p ∧ (q ∨ r) ↔ (p ∧ q) ∨ (p ∧ r) := by
  constructor
  · rintro ⟨hp, hq | hr⟩
    · exact Or.inl ⟨hp, hq⟩
    · exact Or.inr ⟨hp, hr⟩
  · rintro (⟨hp, hq⟩ | ⟨hp, hr⟩)
    · exact ⟨hp, Or.inl hq⟩
    · exact ⟨hp, Or.inr hr⟩

theorem and_self_iff_left {p : Prop} : p ∧ p ↔ p := and_self_iff
