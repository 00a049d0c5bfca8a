theorem target (f g : Nat → Nat) (h : ∀ x, f x = g x) : f = g := by
  funext x
  exact h x
