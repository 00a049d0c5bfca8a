-- `rfl` on two terms that are not equal by computation.
-- expect: error 5:38 contains "Tactic `rfl` failed: The left-hand side\n  0 + n\nis not definitionally equal to the right-hand side\n  n"
-- expect: error 7:0 contains "Not a definitional equality: the left-hand side\n  2 + 2\n"
-- expect: error 7:25 contains "but is expected to have type\n  2 + 2 = 5"
theorem t (n : Nat) : 0 + n = n := by rfl

theorem u : 2 + 2 = 5 := rfl
