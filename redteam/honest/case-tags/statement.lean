theorem target (n : Nat) (h : n = 0 ∨ 0 < n) : n = 0 ∨ ∃ m, n = m + 1 := by sorry
