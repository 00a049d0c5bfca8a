structure V where
  x : Nat
instance instAddV : Add V := ⟨fun a b => ⟨a.x + b.x⟩⟩
theorem target (a b : V) : a + b = a := by sorry
