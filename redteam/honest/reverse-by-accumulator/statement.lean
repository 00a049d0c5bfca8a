def revAcc : List α → List α → List α
  | [], acc => acc
  | x :: xs, acc => revAcc xs (x :: acc)
theorem target (xs : List α) : revAcc xs [] = xs.reverse := by sorry
