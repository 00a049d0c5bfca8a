inductive Accs (r : α → α → Prop) : α → Prop
  | intro (x : α) (h : ∀ y, r y x → Accs r y) : Accs r x
theorem target (n : Nat) : Accs (· < ·) n := by sorry
