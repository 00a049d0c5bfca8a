def sq (n : Nat) : Nat := n * n
theorem target : sq 3 = 9 := by sorry
