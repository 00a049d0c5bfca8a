theorem target (a b : Nat) (f : Nat → Nat) (h : a = b) (hf : ∀ n, 0 < n → f n = n) (hb : 0 < b) : f a = b := by sorry
