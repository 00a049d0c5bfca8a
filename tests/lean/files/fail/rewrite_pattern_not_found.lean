-- `rw` with a pattern that does not occur.
-- expect: error 4:6 contains "Tactic `rewrite` failed: Did not find an occurrence of the pattern\n  c\nin the target expression\n  a + b = b + a"
theorem t (a b c : Nat) (h : c = a) : a + b = b + a := by
  rw [h]
