def ok (n : Nat) : Prop := n = 0
def οk (n : Nat) : Prop := n = n
theorem target (n : Nat) : οk n := Eq.refl n
