def sq (n : Nat) := n * n
theorem sq_zero : sq 0 = 0 := rfl
theorem first : sq (sq 0) = 0 := by rw [sq_zero, sq_zero]
theorem second (n : Nat) (h : n = 0) : sq n = n := by rw [h, sq_zero]
