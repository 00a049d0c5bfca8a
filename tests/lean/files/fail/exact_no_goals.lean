-- A tactic after the proof is complete.
-- expect: error 5:2 is "No goals to be solved"
theorem t (n : Nat) : n = n := by
  rfl
  exact rfl
