-- `cases` on a function.
-- expect: error 4:2 contains "Tactic `cases` failed: major premise type is not an inductive type"
theorem t (f : Nat → Nat) : f = f := by
  cases f
  rfl
