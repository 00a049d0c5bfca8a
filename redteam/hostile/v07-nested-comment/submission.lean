/- outer /- inner -/
theorem target (n : Nat) : n + 1 = n := by omega
-/
theorem helper : True := True.intro
