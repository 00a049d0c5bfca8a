-- `fail_if_success`, `fail` and `done` report.
-- expect: error 5:2 is "The tactic provided to `fail_if_success` succeeded but was expected to fail:\n  rfl"
-- expect: error 9:2 contains "not today"
example : 1 = 1 := by
  fail_if_success rfl
  rfl

example : 1 = 1 := by
  fail "not today"
