axiom f (n : Nat) : Nat
theorem target : f 1 = f 1 := rfl
