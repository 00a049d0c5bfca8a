-- `injection` needs constructors on both sides.
-- expect: error 4:2 contains "Tactic `injection` failed"
theorem t (f : Nat → Nat) (a b : Nat) (h : f a = f b) : a = b := by
  injection h
