def P (n : Nat) : Prop := n = n + 1
theorem target (n : Nat) : P n := by sorry
