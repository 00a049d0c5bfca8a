@[simp] axiom collapse (n : Nat) : (n + 1 = n) = True
theorem target (n : Nat) : n + 1 = n := by simp
