def revAcc : List α → List α → List α
  | [], acc => acc
  | x :: xs, acc => revAcc xs (x :: acc)
theorem target (xs : List α) : revAcc xs [] = xs.reverse := by
  suffices h : ∀ acc, revAcc xs acc = xs.reverse ++ acc by simpa using h []
  induction xs with
  | nil => intro acc; rfl
  | cons x xs ih => intro acc; simp [revAcc, ih]
