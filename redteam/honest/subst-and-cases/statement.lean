theorem target (a b c d : Nat) (h : (a, b + 1) = (c, d + 1)) (k : c = 3) : a = 3 ∧ b = d := by sorry
