def r (a b : Nat) : Prop := a = b ∨ True
def Q := Quot r
theorem target : (Quot.mk r 1 : Q) = Quot.mk r 2 := Quot.sound (Or.inr True.intro)
