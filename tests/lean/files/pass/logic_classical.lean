-- Classical reasoning: excluded middle, double negation, Peirce's law.
-- expect: information 20:0 contains "Classical.choice"
theorem dne {p : Prop} (h : ¬¬p) : p := by
  cases Classical.em p with
  | inl hp => exact hp
  | inr hnp => exact absurd hnp h

theorem peirce {p q : Prop} (h : (p → q) → p) : p :=
  Classical.byContradiction fun hnp => hnp (h fun hp => absurd hp hnp)

theorem not_forall_exists {α : Type} {p : α → Prop} (h : ¬∀ x, p x) : ∃ x, ¬p x := by
  apply Classical.byContradiction
  intro hne
  apply h
  intro x
  apply Classical.byContradiction
  intro hx
  exact hne ⟨x, hx⟩

#print axioms dne
