set_option debug.terminalTacticsAsSorry true
theorem target (n : Nat) : n + 1 = n := by omega
