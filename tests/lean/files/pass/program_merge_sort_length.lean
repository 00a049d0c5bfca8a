-- Merging by well-founded recursion on two lists keeps all elements.
def merge : List Nat → List Nat → List Nat
  | [], ys => ys
  | xs, [] => xs
  | x :: xs, y :: ys => if x ≤ y then x :: merge xs (y :: ys) else y :: merge (x :: xs) ys
termination_by xs ys => xs.length + ys.length

theorem length_merge (xs ys : List Nat) : (merge xs ys).length = xs.length + ys.length := by
  fun_induction merge xs ys with
  | case1 ys => simp
  | case2 xs => simp
  | case3 x xs y ys h ih =>
    simp only [List.length_cons, ih]
    omega
  | case4 x xs y ys h ih =>
    simp only [List.length_cons, ih]
    omega
