def rev : List Nat → List Nat
  | [] => []
  | x :: xs => rev xs ++ [x]
theorem target (xs : List Nat) : (rev xs).length = xs.length := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp [rev, ih]
