import Middle
theorem target (n : Nat) : n + 1 = n := middle n
