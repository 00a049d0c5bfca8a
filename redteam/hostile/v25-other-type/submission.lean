theorem target : (2 : Nat) - 3 = 0 := rfl
