instance (priority := high) never (n : Nat) : Decidable (n = 0) := match n with | 0 => .isTrue rfl | k + 1 => .isFalse (by simp)
theorem target (n : Nat) : (if n = n then 1 else 2) = 1 := by simp
