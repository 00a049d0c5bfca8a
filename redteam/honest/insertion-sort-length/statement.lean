def ins (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: ins x ys
theorem target (l : List Nat) : (l.foldr ins []).length = l.length := by sorry
