theorem target (r : Nat → Nat → Prop) (a b : Nat) (h : r a b) : Quot.mk r a = Quot.mk r b := by sorry
