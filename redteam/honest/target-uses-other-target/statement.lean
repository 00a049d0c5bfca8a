theorem one (a b : Nat) : a + b = b + a := by sorry
theorem two (a b c : Nat) : a + b + c = c + (b + a) := by sorry
