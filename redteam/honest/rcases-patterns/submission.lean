theorem target (p : Nat → Prop) : (∃ x, (x = 1 ∨ x = 2) ∧ p x) → p 1 ∨ p 2 := by
  rintro ⟨x, rfl | rfl, hp⟩
  · exact .inl hp
  · exact .inr hp
