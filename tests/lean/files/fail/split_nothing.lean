-- `split` without an `if` or `match`.
-- expect: error 4:2 contains "Tactic `split` failed"
theorem t (a b : Nat) (h : a = b) : b = a := by
  split
