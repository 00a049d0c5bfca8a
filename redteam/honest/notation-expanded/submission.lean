theorem target (a b : Nat) : a + b + 1 = b + a + 1 := by rw [Nat.add_comm a b]
