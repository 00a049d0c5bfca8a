-- `apply` with a conclusion that does not fit.
-- expect: error 4:2 contains "Tactic `apply` failed: could not unify the conclusion of `h`\n  q\nwith the goal\n  r"
theorem t (p q r : Prop) (h : p → q) (hp : p) : r := by
  apply h
  exact hp
