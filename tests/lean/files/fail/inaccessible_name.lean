-- A name that Lean made up cannot be written.
-- expect: error 5:8 contains "Unknown identifier `a`"
theorem t (p q : Prop) : p → q → p := by
  intros
  exact a
