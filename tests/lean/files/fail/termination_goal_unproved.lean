-- The measure does not decrease in an obvious way: the goal that could not be proved is shown.
-- expect: error 6:7 contains "failed to prove termination, possible solutions:"
def collatz (n : Nat) : Nat :=
  if h : n ≤ 1 then 0
  else if n % 2 = 0 then collatz (n / 2) + 1
  else collatz (3 * n + 1) + 1
termination_by n
