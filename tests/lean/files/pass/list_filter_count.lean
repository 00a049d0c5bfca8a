-- Filtering, counting and partitioning.
theorem filter_filter' {α : Type} (p : α → Bool) (xs : List α) : (xs.filter p).filter p = xs.filter p := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    simp only [List.filter_cons]
    split
    next h => simp [h, ih]
    next => exact ih

def count {α : Type} (p : α → Bool) : List α → Nat
  | [] => 0
  | x :: xs => if p x then count p xs + 1 else count p xs

theorem count_eq_length_filter {α : Type} (p : α → Bool) (xs : List α) : count p xs = (xs.filter p).length := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    by_cases h : p x
    · simp [count, h, ih]
    · simp [count, h, ih]

theorem length_filter_le' {α : Type} (p : α → Bool) (xs : List α) : (xs.filter p).length ≤ xs.length := by
  induction xs with
  | nil => exact Nat.le_refl 0
  | cons x xs ih =>
    rw [List.filter_cons]
    split <;> simp only [List.length_cons] <;> omega
