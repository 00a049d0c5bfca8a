abbrev Id' := Nat
instance idAdd : Add Id' := inferInstanceAs (Add Nat)
theorem target (a b : Id') : a + b = b + a := Nat.add_comm a b
