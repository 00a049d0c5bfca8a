theorem target {xs : List α} : xs ++ [] = xs := by sorry
