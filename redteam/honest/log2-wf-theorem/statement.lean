def halves (n : Nat) : Nat := if n < 2 then 0 else halves (n / 2) + 1
termination_by n
decreasing_by omega
theorem target (n : Nat) : halves n ≤ n := by sorry
