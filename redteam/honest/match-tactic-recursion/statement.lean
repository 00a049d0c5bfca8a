theorem target (m n : Nat) : m ≤ n ∨ n ≤ m := by sorry
