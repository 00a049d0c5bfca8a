axiom cheat (n : Nat) : n + 1 = n
