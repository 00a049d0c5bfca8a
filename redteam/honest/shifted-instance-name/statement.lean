structure V where
  x : Nat
instance : Add V := ⟨fun a b => ⟨a.x + b.x⟩⟩
theorem target (a b : V) : a + b = b + a := by sorry
