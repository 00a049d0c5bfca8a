/-! # A file -/
@[inline, reducible] def twice (n : Nat) : Nat := n + n
@[simp] theorem twice_zero : twice 0 = 0 := rfl
/-! ## The end -/
theorem target : twice (twice 0) = 0 := by simp
