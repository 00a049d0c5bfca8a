def sq (n : Nat) := n * n
theorem first : sq (sq 0) = 0 := by sorry
theorem second (n : Nat) (h : n = 0) : sq n = n := by sorry
