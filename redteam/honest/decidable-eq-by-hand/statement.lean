inductive Bit where | o | i
theorem target : ∀ a : Bit, a = .o ∨ a = .i := by sorry
