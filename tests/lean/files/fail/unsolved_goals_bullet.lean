-- A bullet that does not close its goal.
-- expect: error 6:2 is "unsolved goals\ncase right\np q : Prop\nhp : p\nhq : q\n⊢ q"
theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · skip
