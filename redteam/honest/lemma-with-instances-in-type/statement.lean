theorem target (s t : String × Nat) : s = t ∨ ¬s = t := by sorry
