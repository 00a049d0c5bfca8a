theorem target (r : α → α → Prop) : ¬∃ b, ∀ a, r b a ↔ ¬r a a := fun ⟨b, h⟩ =>
  have hn : ¬r b b := fun hb => (h b).mp hb hb
  hn ((h b).mpr hn)
