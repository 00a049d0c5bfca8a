-- A class with a default method that an instance overrides.
class Shape (α : Type) where
  area : α → Nat
  name : α → String
  describe : α → String := fun s => name s ++ "!"

structure Square where
  side : Nat

structure Circle where
  radius : Nat

instance : Shape Square where
  area s := s.side * s.side
  name _ := "square"

instance : Shape Circle where
  area c := 3 * c.radius * c.radius
  name _ := "circle"
  describe _ := "round"

example : Shape.describe (Square.mk 2) = "square!" := by decide
example : Shape.describe (Circle.mk 2) = "round" := by decide
example : Shape.area (Square.mk 5) = 25 := rfl
