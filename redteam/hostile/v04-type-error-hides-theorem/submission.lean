theorem target (n : Nat) : n + 1 = n := (apply? : Nat)
