-- A false statement resists the usual automation.
-- expect: error 3:74 contains "⊢ 0 + 1 = 1 + 0 + 1"
theorem wrong (a b : Nat) (h : a = 0) (h' : b = 1) : a + 1 = b + a + 1 := by
  subst h h'
  first | rfl | skip
