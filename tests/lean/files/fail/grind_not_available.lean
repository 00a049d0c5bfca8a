-- The embedded library has no `grind`.
-- expect: error 4:53 is "unknown tactic"
-- expect: error 4:49 contains "unsolved goals"
example (a b c : Nat) (h : a ≤ b) : a ≤ b + c := by grind
