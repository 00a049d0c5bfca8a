theorem target {α : Sort u} {p : α → Prop} (h : ¬∃ x, p x) (x : α) : ¬p x := by sorry
