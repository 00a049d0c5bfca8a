theorem unneeded (n : Nat) : n + 0 = n := rfl
theorem target (n : Nat) : n = n := by sorry
