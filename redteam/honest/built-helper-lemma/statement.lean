theorem target (a : Nat) : a + a = 2 * a := by sorry
