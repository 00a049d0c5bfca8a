-- `refine` with a hole that is not named as a goal.
-- expect: error 5:14 contains "don't know how to synthesize placeholder"
-- expect: error 4:52 contains "unsolved goals"
theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  refine ⟨hp, _⟩
  exact hq
