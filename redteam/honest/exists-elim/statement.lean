theorem target (p : Nat → Prop) (h : ∃ n, p n ∧ 0 < n) : ∃ n, 0 < n ∧ p n := by sorry
