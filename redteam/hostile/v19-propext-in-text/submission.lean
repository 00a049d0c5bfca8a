axiom propext : False
theorem target (n : Nat) : n + 1 = n := propext.elim
