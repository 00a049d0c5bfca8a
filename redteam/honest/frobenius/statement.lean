theorem target (p : Prop) (q : α → Prop) : (∃ x, p ∧ q x) ↔ p ∧ ∃ x, q x :=
  by sorry
