-- A field that is a proof must be proved.
-- expect: error 11:8 contains "unsolved goals\n⊢ 5 ≤ 3"
structure Interval where
  lo : Nat
  hi : Nat
  le : lo ≤ hi

def bad : Interval where
  lo := 5
  hi := 3
  le := by skip
