-- `unfold` of a definition that does not occur.
-- expect: error 6:9 contains "Tactic `unfold` failed to unfold `double` in"
def double (n : Nat) : Nat := n + n

theorem t (n : Nat) : n + n = 2 * n := by
  unfold double
  omega
