theorem target (α : Type) (a b : α) : a = b := by sorry
