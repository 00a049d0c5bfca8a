-- Interpolated strings and ToString instances.
-- expect: information 11:0 is "\"1 + 2 = 3\""
-- expect: information 12:0 is "\"(3, 4)\""
structure Pt where
  x : Nat
  y : Nat

instance : ToString Pt where
  toString p := s!"({p.x}, {p.y})"

#eval s!"1 + 2 = {1 + 2}"
#eval toString (Pt.mk 3 4)
