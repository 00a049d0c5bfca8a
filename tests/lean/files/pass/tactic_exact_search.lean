-- Library search closes the goal and says with what.
-- expect: information 3:50 contains "Try this"
example (a b : Nat) (h : a ≤ b) : a < b + 1 := by exact?
