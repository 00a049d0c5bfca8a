theorem target (p q : Prop) (hp : p) (hq : q) : q ∧ p := by sorry
