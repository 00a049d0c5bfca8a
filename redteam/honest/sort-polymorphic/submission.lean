theorem target {α : Sort u} {p : α → Prop} (h : ¬∃ x, p x) (x : α) : ¬p x := fun hp => h ⟨x, hp⟩
