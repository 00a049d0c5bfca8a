theorem target (x y : Nat) (h : x = y) : ∀ z : Nat, x + z = y + z := by sorry
