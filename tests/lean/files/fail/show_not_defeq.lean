-- `show` with a statement that is not the goal.
-- expect: error 4:2 contains "'show' tactic failed"
theorem t (n : Nat) : 0 + n = n := by
  show n = 0
  rfl
