theorem target (p : Prop) (q : α → Prop) : (∃ x, p ∧ q x) ↔ p ∧ ∃ x, q x :=
  ⟨fun ⟨x, hp, hq⟩ => ⟨hp, x, hq⟩, fun ⟨hp, x, hq⟩ => ⟨x, hp, hq⟩⟩
