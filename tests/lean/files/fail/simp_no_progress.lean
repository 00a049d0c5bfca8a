-- `simp` that has nothing to do is an error.
-- expect: error 4:2 is "`simp` made no progress"
theorem t (p : Nat → Prop) (n : Nat) (h : p n) : p n := by
  simp only [Nat.add_zero]
  exact h
