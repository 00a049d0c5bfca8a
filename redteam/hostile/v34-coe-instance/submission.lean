structure W where
  n : Nat
instance : Coe W Nat := ⟨W.n⟩
instance zero : Coe W Nat := ⟨fun _ => 0⟩
theorem target (w : W) : (w : Nat) = 0 := rfl
