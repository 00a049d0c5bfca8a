-- A pattern for an existential applied to a number of hypotheses that is not there.
-- expect: error 5:8 contains "Unknown identifier `hq`"
theorem t (p q : Prop) (h : p ∧ q) : q := by
  obtain ⟨hp⟩ := h
  exact hq
