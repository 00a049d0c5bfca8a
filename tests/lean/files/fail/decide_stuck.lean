-- `decide` on a definition by well-founded recursion gets stuck, and says so.
-- expect: error 9:31 contains "failed to reduce"
def halves (n : Nat) : Nat :=
  if h : n = 0 then 0 else
    have : n / 2 < n := by omega
    halves (n / 2) + 1
termination_by n

theorem t : halves 8 = 4 := by decide
