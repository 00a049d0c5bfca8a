theorem target (a b c : Nat) (h₁ : a ≤ b) (h₂ : b < c) : a < c := by sorry
