def half (n : Nat) : Nat := if h : n < 2 then 0 else half (n - 2) + 1
termination_by n
theorem target : half 0 = 0 := by sorry
