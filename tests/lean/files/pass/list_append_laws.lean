-- Append is a monoid and length is a homomorphism, proved without the library.
universe u
variable {α : Type u}

theorem nil_append' (xs : List α) : [] ++ xs = xs := rfl

theorem append_nil' (xs : List α) : xs ++ [] = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [List.cons_append, ih]

theorem append_assoc' (xs ys zs : List α) : xs ++ ys ++ zs = xs ++ (ys ++ zs) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp only [List.cons_append, ih]

theorem length_append' (xs ys : List α) : (xs ++ ys).length = xs.length + ys.length := by
  induction xs with
  | nil => simp
  | cons x xs ih =>
    simp only [List.cons_append, List.length_cons, ih]
    omega
