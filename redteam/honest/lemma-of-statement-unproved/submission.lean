theorem target (n : Nat) : n = n := rfl
