-- No hypothesis closes the goal.
-- expect: error 4:2 is "Tactic `assumption` failed\n\np q : Prop\nhp : p\n⊢ q"
theorem t (p q : Prop) (hp : p) : q := by
  assumption
