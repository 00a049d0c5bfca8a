-- omega shows a counterexample's constraints when the goal does not follow.
-- expect: error 4:2 contains "omega could not prove the goal:\na possible counterexample may satisfy the constraints"
theorem t (a b : Nat) (h : a < b) : a + 1 < b := by
  omega
