structure V where
  x : Nat
instance instAddV : Add V := ⟨fun a _ => a⟩
theorem target (a b : V) : a + b = a := rfl
