theorem «1».«2» (n : Nat) : n = n := rfl
