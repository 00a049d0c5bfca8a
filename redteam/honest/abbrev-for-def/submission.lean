abbrev N : Type := Nat
theorem target (a : N) : a = a := rfl
