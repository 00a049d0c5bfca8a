theorem target (n : Nat) : n + 1 = n := Nat.succ_le_succ
