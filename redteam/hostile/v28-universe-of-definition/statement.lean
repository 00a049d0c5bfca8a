structure Holder where
  α : Type
  n : Nat
theorem target (h : Holder) : h.n = 0 := by sorry
