-- omega does not multiply variables.
-- expect: error 4:2 contains "omega could not prove the goal"
theorem t (a b : Nat) (h : 0 < a) (h' : 0 < b) : 0 < a * b := by
  omega
