theorem target (a b c : Nat) : a + (b + c) = c + b + a := by sorry
