-- A tactic that does not exist is an error, and its goal stays open.
-- expect: error 5:3 is "unknown tactic"
-- expect: error 4:43 contains "unsolved goals"
example (a b : Nat) (h : a = b) : b = a := by
  symmetry_of h
