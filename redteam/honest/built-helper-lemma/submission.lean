def twice (a : Nat) : Nat := a + a
theorem twice_eq (a : Nat) : twice a = 2 * a := by simp only [twice]; omega
theorem target (a : Nat) : a + a = 2 * a := twice_eq a
