theorem target (p : Prop) : p ∨ ¬p := by sorry
