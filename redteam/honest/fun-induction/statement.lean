def alt : List Nat → List Nat
  | [] => []
  | [x] => [x]
  | x :: _ :: xs => x :: alt xs
theorem target (xs : List Nat) : (alt xs).length ≤ xs.length := by sorry
