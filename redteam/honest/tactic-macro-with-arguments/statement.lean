theorem target (p q : Prop) (hp : p) (hq : q) : p ∧ q := by sorry
