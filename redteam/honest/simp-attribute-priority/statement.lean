def f (n : Nat) : Nat := n + 3
theorem target (n : Nat) : f (0 + n) = f 0 + n := by sorry
