abbrev Id' := Nat
instance idAdd : Add Id' := inferInstanceAs (Add Nat)
theorem target (a b : Id') : a + b = b + a := by sorry
