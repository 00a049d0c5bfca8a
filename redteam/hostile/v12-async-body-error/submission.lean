set_option Elab.async true
theorem target (n : Nat) : n + 1 = n := by
  have h : ∀ m : Nat, m + 1 = m := by
    intro m
    decide
  exact h n
