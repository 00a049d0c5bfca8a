macro "both" : tactic => `(tactic| (constructor <;> assumption))
theorem target (p q : Prop) (hp : p) (hq : q) : p ∧ q := by both
