def double (n : Nat) : Nat := n + n
theorem target (n : Nat) : double n = 2 * n := by sorry
