-- A hole is a warning, a wrong proof beside it an error; both are reported.
-- expect: warning 4:8 is "declaration uses `sorry`"
-- expect: error 6:39 contains "Type mismatch"
theorem later (n : Nat) : n * 0 = 0 := sorry

theorem wrong (n : Nat) : n * 0 = 1 := later n
