theorem target : ∀ x ∈ [1, 2, 3], x ≤ 3 := by sorry
