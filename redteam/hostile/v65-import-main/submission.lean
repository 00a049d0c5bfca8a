import Main
theorem target (n : Nat) : n + 1 = n := boom n
