def Small (n : Nat) : Prop := n < 2
theorem target : Small 5 := by sorry
