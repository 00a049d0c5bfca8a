theorem target (p q : Prop) (hp : p) : p ∧ q := by
  constructor
  · exact hp
  try contradiction
  all_goals try assumption
