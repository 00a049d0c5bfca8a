theorem target : 'λ'.toNat = 955 ∧ '\n'.toNat = 10 ∧ 'a' ≠ 'b' := by sorry
