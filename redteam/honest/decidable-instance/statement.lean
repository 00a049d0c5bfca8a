inductive Even : Nat → Prop where
  | zero : Even 0
  | step {n} : Even n → Even (n + 2)
theorem target : Even 8 := by sorry
