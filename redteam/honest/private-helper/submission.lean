private theorem helper (a b : Nat) : a + b = b + a := Nat.add_comm a b
theorem target (a b : Nat) : a + b = b + a := helper a b
