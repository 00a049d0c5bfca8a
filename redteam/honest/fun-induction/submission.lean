def alt : List Nat → List Nat
  | [] => []
  | [x] => [x]
  | x :: _ :: xs => x :: alt xs
theorem target (xs : List Nat) : (alt xs).length ≤ xs.length := by
  fun_induction alt xs with
  | case1 => simp
  | case2 x => simp
  | case3 x y xs ih => simp only [List.length_cons]; omega
