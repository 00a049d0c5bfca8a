-- `decide` evaluates a proposition to false.
-- expect: error 3:28 contains "Tactic `decide` proved that the proposition\n  3 + 4 = 8\nis false"
theorem t : 3 + 4 = 8 := by decide
