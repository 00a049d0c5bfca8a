-- Map, fold and their fusion laws.
theorem map_map' {α β γ : Type} (g : β → γ) (f : α → β) (xs : List α) :
    (xs.map f).map g = xs.map (g ∘ f) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp

theorem map_id' {α : Type} (xs : List α) : xs.map id = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [List.map_cons, ih, id]

theorem foldr_cons {α : Type} (xs : List α) : xs.foldr List.cons [] = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [List.foldr_cons, ih]

theorem foldl_append_step {α β : Type} (f : β → α → β) (b : β) (xs ys : List α) :
    (xs ++ ys).foldl f b = ys.foldl f (xs.foldl f b) := by
  induction xs generalizing b with
  | nil => rfl
  | cons x xs ih => exact ih (f b x)

example : [1, 2, 3].foldl (· + ·) 0 = 6 := rfl
example : [1, 2, 3].map (· * 2) = [2, 4, 6] := rfl
