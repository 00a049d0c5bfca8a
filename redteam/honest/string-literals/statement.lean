theorem target : "ab" ≠ "ba" ∧ 'a' ≠ 'b' := by sorry
