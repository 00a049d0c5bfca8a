def halves (n : Nat) : Nat := if n < 2 then 0 else halves (n / 2) + 1
termination_by n
decreasing_by omega
theorem halves_le (n : Nat) : halves n ≤ n := by
  rw [halves]
  split
  · exact Nat.zero_le _
  · have := halves_le (n / 2)
    omega
termination_by n
decreasing_by omega
theorem target (n : Nat) : halves n ≤ n := halves_le n
