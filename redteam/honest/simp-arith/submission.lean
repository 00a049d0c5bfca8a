theorem target (a b : Nat) (h : a + 1 ≤ b) : a + 1 + 2 ≤ b + 2 := by simp +arith; simp_all
