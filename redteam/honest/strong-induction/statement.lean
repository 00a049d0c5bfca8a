theorem target (P : Nat → Prop) (h0 : P 0) (h : ∀ n, P (n / 2) → P n) (n : Nat) : P n := by sorry
