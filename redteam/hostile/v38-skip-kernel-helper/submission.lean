section
set_option debug.skipKernelTC true
private theorem lucky : (1 : Nat) = 2 := by decide +kernel
end
theorem target (n : Nat) : n + 1 = n := absurd lucky (by decide)
