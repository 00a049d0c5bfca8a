-- Destructuring in terms: `let ⟨⟩`, `have ⟨⟩`, `fun ⟨⟩`, `match`, `nomatch`, nested anonymous constructors.
theorem and_exists {p q : Nat → Prop} (h : (∃ x, p x) ∧ ∀ x, p x → q x) : ∃ x, p x ∧ q x :=
  let ⟨⟨x, hx⟩, f⟩ := h
  ⟨x, hx, f x hx⟩

theorem swap_ex {α β : Type} {r : α → β → Prop} : (∃ x y, r x y) → ∃ y x, r x y :=
  fun ⟨x, y, h⟩ => ⟨y, x, h⟩

theorem flatten {p q r s : Prop} : (p ∧ q) ∧ r ∧ s → p ∧ q ∧ r ∧ s :=
  fun ⟨⟨hp, hq⟩, hr, hs⟩ => ⟨hp, hq, hr, hs⟩

theorem use_have (n : Nat) (h : ∃ k, n = k + k) : n % 2 = 0 :=
  have ⟨k, hk⟩ := h
  by omega
