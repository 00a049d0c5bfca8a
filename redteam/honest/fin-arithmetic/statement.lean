theorem target : ∀ a b : Fin 5, a + b = b + a := by sorry
