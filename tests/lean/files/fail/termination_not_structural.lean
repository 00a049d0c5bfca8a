-- A recursion that does not terminate: Lean shows the goal that it could not prove.
-- expect: error 3:4 contains "failed to prove termination, possible solutions:"
def loop (n : Nat) : Nat := loop (n + 1)
