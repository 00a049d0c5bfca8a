partial def target (n : Nat) : n + 1 = n := target n
