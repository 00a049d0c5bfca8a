theorem target (p q r : Prop) (hp : p) (hq : q) (hr : r) : (p ∧ q) ∧ (q ∧ r) ∧ True := by
  repeat' constructor
  all_goals first | assumption | trivial
