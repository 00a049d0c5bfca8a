variable (α : Type) [DecidableEq α]
theorem target (a b : α) : a = b ∨ a ≠ b := by sorry
