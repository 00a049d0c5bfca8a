theorem target (n : Nat) (h : n % 2 = 1) : n * n % 2 = 1 := by sorry
