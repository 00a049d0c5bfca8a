-- `subst` needs a variable on one side.
-- expect: error 4:2 contains "Tactic `subst` failed"
theorem t (f : Nat → Nat) (a b : Nat) (h : f a = f b) : f b = f a := by
  subst h
  rfl
