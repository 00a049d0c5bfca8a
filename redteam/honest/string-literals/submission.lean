theorem target : "ab" ≠ "ba" ∧ 'a' ≠ 'b' := by decide
