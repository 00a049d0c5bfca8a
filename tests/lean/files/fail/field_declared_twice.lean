-- A structure with one field name twice.
-- expect: error 5:2 contains "has already been declared"
structure Pt where
  x : Nat
  x : Int
