theorem target (p : Nat → Prop) : (∃ n, p n) → ∃ n, p n ∧ ∀ m, m < n → ¬p m := by sorry
