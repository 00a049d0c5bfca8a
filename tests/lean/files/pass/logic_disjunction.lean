-- Disjunction: elimination by `cases`, `match` and `Or.elim`.
variable {p q r : Prop}

theorem or_swap (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl hp => exact Or.inr hp
  | inr hq => exact Or.inl hq

theorem or_swap_term (h : p ∨ q) : q ∨ p :=
  match h with
  | .inl hp => .inr hp
  | .inr hq => .inl hq

theorem or_imp' : (p ∨ q → r) ↔ (p → r) ∧ (q → r) :=
  ⟨fun h => ⟨fun hp => h (Or.inl hp), fun hq => h (Or.inr hq)⟩,
   fun ⟨hpr, hqr⟩ h => h.elim hpr hqr⟩

theorem resolve (h : p ∨ q) (hn : ¬p) : q := h.resolve_left hn

theorem or_assoc' : (p ∨ q) ∨ r ↔ p ∨ (q ∨ r) := or_assoc
