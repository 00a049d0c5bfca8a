theorem target (a b c d : Nat) : a + b + (c + d) = d + (b + c) + a := by sorry
