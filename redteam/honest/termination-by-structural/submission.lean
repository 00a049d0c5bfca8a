def len : List α → Nat
  | [] => 0
  | _ :: xs => len xs + 1
termination_by structural xs => xs
theorem target (xs : List α) : len xs = xs.length := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [len, ih, List.length_cons]
