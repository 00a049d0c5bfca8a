local notation "dbl" n => n + n
theorem two_dbl (n : Nat) : 2 * n = dbl n := Nat.two_mul n
theorem target (n : Nat) : 2 * n + 1 = n + n + 1 := congrArg (· + 1) (two_dbl n)
