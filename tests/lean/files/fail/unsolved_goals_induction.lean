-- An induction whose step is left open shows the case, the hypothesis and the goal.
-- expect: error 6:14 contains "unsolved goals\ncase succ\nn : Nat\nih : 0 + n = n\n⊢ 0 + (n + 1) = n + 1"
theorem zero_add' (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => skip
