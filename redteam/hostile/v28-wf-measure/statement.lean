def h (n : Nat) : Nat := if hn : n < 2 then n else h (n - 2)
termination_by n
theorem target : h 1 = 0 := by sorry
