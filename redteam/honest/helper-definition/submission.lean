def count : List Nat → Nat
  | [] => 0
  | _ :: xs => count xs + 1
theorem count_eq (xs : List Nat) : count xs = xs.length := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp [count, ih]
theorem target (xs : List Nat) : (xs ++ []).length = xs.length := by
  rw [← count_eq, ← count_eq]
  simp
