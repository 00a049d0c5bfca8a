def Good (n : Nat) : Prop := n = 7
theorem target : Good 3 := by sorry
