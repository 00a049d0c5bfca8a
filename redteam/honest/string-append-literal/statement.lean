theorem target : "ab" ++ "c" = "abc" ∧ "abc" ≠ "abd" := by sorry
