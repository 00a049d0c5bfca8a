theorem target : ∀ f : Fin 3 → Fin 2, f 0 = f 1 ∨ f 0 = f 2 ∨ f 1 = f 2 := by sorry
