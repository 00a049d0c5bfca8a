attribute [-simp] Nat.add_zero
theorem target (n : Nat) : n + 0 = n := Nat.add_zero n
