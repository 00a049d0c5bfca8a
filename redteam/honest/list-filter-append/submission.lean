theorem target (p : α → Bool) (xs ys : List α) : (xs ++ ys).filter p = xs.filter p ++ ys.filter p := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp only [List.cons_append, List.filter_cons]; split <;> simp [ih]
