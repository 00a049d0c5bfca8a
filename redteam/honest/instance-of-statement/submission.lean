structure V where
  x : Nat
  y : Nat
instance : Add V := ⟨fun a b => ⟨a.x + b.x, a.y + b.y⟩⟩
theorem target (a b : V) : a + b = b + a := by
  show V.mk _ _ = V.mk _ _
  rw [Nat.add_comm a.x, Nat.add_comm a.y]
