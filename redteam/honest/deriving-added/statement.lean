inductive Colour where
  | red | green
theorem target (c : Colour) : c = .red ∨ c = .green := by sorry
