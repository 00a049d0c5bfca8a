inductive Colour where
  | red | green | blue
theorem target (c : Colour) : c = .red ∨ c = .green := by sorry
