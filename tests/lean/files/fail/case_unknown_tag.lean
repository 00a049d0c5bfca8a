-- `case` with a tag that no goal has.
-- expect: error 6:2 contains "Case tag `succc` not found"
theorem t (n : Nat) : n = n := by
  cases n
  case zero => rfl
  case succc k => rfl
  all_goals rfl
