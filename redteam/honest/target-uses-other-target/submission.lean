theorem one (a b : Nat) : a + b = b + a := Nat.add_comm a b
theorem two (a b c : Nat) : a + b + c = c + (b + a) := by rw [one, one a b]
