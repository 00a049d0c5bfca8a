-- `constructor`, `left` on goals that have no such constructors.
-- expect: error 5:2 contains "Tactic `constructor` failed: target is not an inductive datatype"
-- expect: error 8:2 contains "Tactic `left` failed"
theorem t (p : Prop) (hp : p) : p := by
  constructor

theorem u (p q : Prop) (h : p ∧ q) : p ∧ q := by
  left
