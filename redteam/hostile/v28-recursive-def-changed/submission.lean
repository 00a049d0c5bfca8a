def rev : List Nat → List Nat
  | [] => []
  | x :: xs => x :: rev xs
theorem target (xs : List Nat) : rev xs = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp [rev, ih]
