def f (n : Nat) : Nat := n + 1
theorem target : f 1 = 2 := by sorry
