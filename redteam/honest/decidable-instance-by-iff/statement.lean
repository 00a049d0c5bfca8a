def Square (n : Nat) : Prop := ∃ k, k ≤ n ∧ k * k = n
theorem target : Square 49 ∧ ¬Square 50 := by sorry
