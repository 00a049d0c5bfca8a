structure V where
  x : Nat
instance (priority := low) : Add V := ⟨fun a _ => a⟩
instance : Add V := ⟨fun a b => ⟨a.x + b.x⟩⟩
theorem target (a b : V) : a + b = b + a := by
  show V.mk _ = V.mk _
  rw [Nat.add_comm]
