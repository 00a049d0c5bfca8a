theorem target (r : α → α → Prop) : ¬∃ b, ∀ a, r b a ↔ ¬r a a := by sorry
