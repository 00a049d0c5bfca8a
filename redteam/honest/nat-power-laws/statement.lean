theorem target (a m n : Nat) : a ^ (m + n) = a ^ n * a ^ m := by sorry
