@[irreducible] def secret (n : Nat) : Nat := n + 41
theorem target : secret 1 = 42 := by sorry
