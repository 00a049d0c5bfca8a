def interleave (xs ys : List α) : List α :=
  match xs with
  | [] => ys
  | x :: xs => x :: interleave ys xs
termination_by xs.length + ys.length
theorem target (xs ys : List α) : (interleave xs ys).length = xs.length + ys.length := by sorry
