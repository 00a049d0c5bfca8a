-- A structure instance without all of its fields, and with one too many.
-- expect: error 8:14 contains "Fields missing: `y`"
-- expect: error 9:32 contains "`z` is not a field of structure `Pt`"
structure Pt where
  x : Nat
  y : Nat

def p : Pt := { x := 1 }
def q : Pt := { x := 1, y := 2, z := 3 }
