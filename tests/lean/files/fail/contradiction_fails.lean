-- Nothing contradictory in the context.
-- expect: error 4:2 is "Tactic `contradiction` failed\n\np q : Prop\nhp : p\n⊢ q"
theorem t (p q : Prop) (hp : p) : q := by
  contradiction
