theorem target (f : Nat → Nat) : ¬∀ n, f (n + 1) < f n := by
  intro h
  have key : ∀ n, f n + n ≤ f 0 := fun n => by
    induction n with
    | zero => exact Nat.le_refl _
    | succ n ih => have := h n; omega
  have := key (f 0 + 1)
  omega
