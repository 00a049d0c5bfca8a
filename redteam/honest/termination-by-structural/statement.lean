def len : List α → Nat
  | [] => 0
  | _ :: xs => len xs + 1
termination_by structural xs => xs
theorem target (xs : List α) : len xs = xs.length := by sorry
