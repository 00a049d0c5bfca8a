inductive Level where | low | mid | high
  deriving BEq, Ord, Hashable, Inhabited, Repr
theorem target : (compare Level.low .high == .lt) = true ∧ (Level.mid == .mid) = true := by sorry
