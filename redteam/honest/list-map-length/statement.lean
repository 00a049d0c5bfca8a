theorem target (f : α → β) (xs ys : List α) : ((xs ++ ys).map f).length = ys.length + xs.length := by sorry
