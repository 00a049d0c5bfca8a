-- Rewriting would make a dependent term ill-typed.
-- expect: error 5:6 contains "motive is not type correct"
theorem t (xs ys : List Nat) (i : Nat) (h : i < xs.length) (e : xs.length = ys.length) (f : Fin xs.length → Nat) :
    f ⟨i, h⟩ = 0 := by
  rw [e]
