theorem target : ∀ x ∈ [2, 4, 6, 8], x % 2 = 0 ∧ ∃ y ∈ [1, 2, 3, 4], x = 2 * y := by decide
