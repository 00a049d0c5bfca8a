def merge : List Nat → List Nat → List Nat
  | [], ys => ys
  | xs, [] => xs
  | x :: xs, y :: ys => if x ≤ y then x :: merge xs (y :: ys) else y :: merge (x :: xs) ys
termination_by xs ys => xs.length + ys.length
theorem target (xs ys : List Nat) : (merge xs ys).length = xs.length + ys.length := by
  fun_induction merge xs ys <;> simp_all <;> omega
