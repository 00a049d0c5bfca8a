set_option Elab.async true
theorem helper (a b : Nat) : a + b = b + a := by omega
theorem target (a b c : Nat) : a + (b + c) = c + b + a := by omega
