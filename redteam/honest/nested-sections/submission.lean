universe u v
section Outer
variable {α : Type u}
section Inner
variable {β : Type v} (f : α → β)
theorem target (xs ys : List α) : (xs ++ ys).map f = xs.map f ++ ys.map f := by
  induction xs with
  | nil => rfl
  | cons x xs ih => exact congrArg (f x :: ·) ih
end Inner
end Outer
