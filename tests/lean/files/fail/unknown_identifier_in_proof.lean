-- A hypothesis name that was never introduced; the rest of the file is checked all the same.
-- expect: error 5:8 is "Unknown identifier `hq`"
theorem t (p q : Prop) : p ∧ q → q := by
  intro h
  exact hq

theorem fine (p q : Prop) (h : p ∧ q) : q := h.2
