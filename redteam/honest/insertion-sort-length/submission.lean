def ins (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: ins x ys
theorem length_ins (x : Nat) (l : List Nat) : (ins x l).length = l.length + 1 := by
  induction l with
  | nil => rfl
  | cons y ys ih => simp only [ins]; split <;> simp [ih]
theorem target (l : List Nat) : (l.foldr ins []).length = l.length := by
  induction l with
  | nil => rfl
  | cons x xs ih => rw [List.foldr_cons, length_ins, ih, List.length_cons]
