theorem target (n : Nat) (h : n = 2) : n = 0 ∨ n = 1 ∨ n = 2 ∨ n = 3 := by sorry
