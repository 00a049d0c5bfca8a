theorem target (p q : Prop) (hp : p) : p ∧ q := by sorry
