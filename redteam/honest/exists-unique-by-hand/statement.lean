theorem target (a b : Nat) (h : a ≤ b) : ∃ d, a + d = b ∧ ∀ e, a + e = b → e = d := by sorry
