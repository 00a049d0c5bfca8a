set_option debug.proofAsSorry true
theorem target (n : Nat) : n + 1 = n := rfl
