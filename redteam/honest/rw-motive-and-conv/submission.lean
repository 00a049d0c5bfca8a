theorem target (a b : Nat) (h : a = b) (f : Nat → Nat → Nat) : f a a = f a b := by
  conv =>
    lhs
    arg 2
    rw [h]
