set_option maxHeartbeats 0
set_option maxRecDepth 100000
theorem comm (a b : Nat) : a + b = b + a := Nat.add_comm a b
theorem target (n : Nat) : n + 1 = n := by
  iterate 100000000 rw [comm]
