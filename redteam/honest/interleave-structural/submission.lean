def interleave (xs ys : List α) : List α :=
  match xs with
  | [] => ys
  | x :: xs => x :: interleave ys xs
termination_by xs.length + ys.length
theorem target (xs ys : List α) : (interleave xs ys).length = xs.length + ys.length := by
  fun_induction interleave xs ys with
  | case1 => simp
  | case2 ys x xs ih => simp [ih]; omega
