def slow (n : Nat) : Nat := n
theorem target : slow 3 = 4 := by sorry
