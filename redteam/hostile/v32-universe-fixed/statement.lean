theorem target.{u} (α : Type u) (a : α) : a = a := by sorry
