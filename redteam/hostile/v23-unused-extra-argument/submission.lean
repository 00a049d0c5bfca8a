theorem target (n : Nat) (_ : Nat) : n + 0 = n := rfl
