-- A file with a hole elaborates, with the warning that says so.
-- expect: warning 3:8 contains "declaration uses `sorry`"
theorem later (a b : Nat) : a * b = b * a := by
  sorry

example (a b : Nat) : a * b = b * a := later a b
