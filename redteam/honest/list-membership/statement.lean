theorem target (a : α) (xs ys : List α) : a ∈ xs ++ ys ↔ a ∈ ys ∨ a ∈ xs := by sorry
