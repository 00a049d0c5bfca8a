theorem target (f : Nat → Nat) : ¬∀ n, f (n + 1) < f n := by sorry
