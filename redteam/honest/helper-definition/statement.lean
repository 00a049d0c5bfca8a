theorem target (xs : List Nat) : (xs ++ []).length = xs.length := by sorry
