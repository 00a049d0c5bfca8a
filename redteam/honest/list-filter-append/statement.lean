theorem target (p : α → Bool) (xs ys : List α) : (xs ++ ys).filter p = xs.filter p ++ ys.filter p := by sorry
