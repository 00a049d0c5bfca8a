-- `decreasing_by` with a proof that does not work.
-- expect: error 6:14 contains "omega could not prove the goal"
def countDown (n : Nat) : Nat :=
  if n = 0 then 0 else countDown (n + 1)
termination_by n
decreasing_by omega
