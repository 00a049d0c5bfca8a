theorem target (n : Nat) (h : n < n) : n + 1 = n := absurd h (Nat.lt_irrefl n)
