theorem target (f : α → β) (x y : α) (h : x = y) : f x = f y := by sorry
