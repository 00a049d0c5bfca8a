theorem target : ¬ ∀ a b : Nat, a + b = b + a := by
  intro h
  have := h 1 2
  first | contradiction | omega | simp_all
