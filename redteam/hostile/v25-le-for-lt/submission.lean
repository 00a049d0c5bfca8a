theorem target (n : Nat) : n ≤ n := Nat.le_refl n
