class Shape (α : Type) where
  area : α → Nat
  double : α → Nat := fun a => area a + area a
structure Square where
  side : Nat
instance : Shape Square where
  area s := s.side * s.side
theorem target (s : Square) : Shape.double s = 2 * Shape.area s := by
  show Shape.area s + Shape.area s = _
  rw [Nat.two_mul]
