theorem target : ∀ f : Fin 3 → Fin 2, f 0 = f 1 ∨ f 0 = f 2 ∨ f 1 = f 2 := by
  intro f
  have := (f 0).isLt
  have := (f 1).isLt
  have := (f 2).isLt
  simp only [Fin.ext_iff]
  omega
