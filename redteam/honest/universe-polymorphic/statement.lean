theorem target.{u, v} (α : Type u) (β : Type v) (f : α → β) (a b : α) (h : a = b) : f a = f b := by sorry
