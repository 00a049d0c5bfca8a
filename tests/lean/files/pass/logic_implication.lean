-- Implication: composition, exchange, contraposition, as terms and as tactics.
variable {p q r : Prop}

theorem compose (f : p → q) (g : q → r) : p → r := fun hp => g (f hp)

theorem exchange : (p → q → r) ↔ (q → p → r) :=
  ⟨fun h hq hp => h hp hq, fun h hp hq => h hq hp⟩

theorem contrapose (h : p → q) : ¬q → ¬p := by
  intro hnq hp
  exact hnq (h hp)

theorem uncurry : (p → q → r) ↔ (p ∧ q → r) := by
  constructor
  · intro h ⟨hp, hq⟩
    exact h hp hq
  · intro h hp hq
    exact h ⟨hp, hq⟩
