inductive Colour where
  | red | green
  deriving DecidableEq, Repr
theorem target (c : Colour) : c = .red ∨ c = .green := by cases c <;> simp
