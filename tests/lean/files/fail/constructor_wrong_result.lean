-- A constructor must build its own type.
-- expect: error 4:26 contains "Unexpected resulting type for constructor `Shape.square`: Expected\n  Shape\nbut found\n  Nat"
inductive Shape where
  | square (side : Nat) : Nat
