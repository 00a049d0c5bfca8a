-- `<;>` runs the second tactic on every goal: one failure is a failure.
-- expect: error 4:18 contains "Type mismatch"
theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor <;> exact hp
