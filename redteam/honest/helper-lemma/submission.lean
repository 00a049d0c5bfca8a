def double (n : Nat) : Nat := n + n
theorem helper (n : Nat) : 2 * n = n + n := Nat.two_mul n
theorem target (n : Nat) : double n = 2 * n := (helper n).symm
