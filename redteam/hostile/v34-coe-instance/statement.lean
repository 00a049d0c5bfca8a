structure W where
  n : Nat
instance : Coe W Nat := ⟨W.n⟩
theorem target (w : W) : (w : Nat) = 0 := by sorry
