-- `Iff` as a rewriting rule, in `rw`, `simp` and by projection.
theorem rewrite_iff {p q r : Prop} (h : p ↔ q) (hr : q ∧ r) : p ∧ r := by
  rw [h]
  exact hr

theorem simp_iff {p q r : Prop} (h : p ↔ q) : (p ∧ r) ↔ (q ∧ r) := by simp only [h]

theorem chain {p q r : Prop} (h₁ : p ↔ q) (h₂ : q ↔ r) : p ↔ r := calc
  p ↔ q := h₁
  _ ↔ r := h₂

theorem back {p q : Prop} (h : p ↔ q) : q → p := h.mpr

theorem not_congr' {p q : Prop} (h : p ↔ q) : ¬p ↔ ¬q := not_congr h
