theorem target (p q r s : Prop) (hp : p) (hq : q) (hr : r) (hs : s) : (p ∧ q) ∧ r ∧ s := by sorry
