def later : Nat := 2
theorem target (n : Nat) : n = n := rfl
