set_option debug.byAsSorry true
theorem target (n : Nat) : n + 1 = n := by omega
