unsafe def loop (n : Nat) : n + 1 = n := loop n
theorem target (n : Nat) : n + 1 = n := loop n
