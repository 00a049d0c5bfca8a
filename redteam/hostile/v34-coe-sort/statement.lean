theorem target : (false : Prop) := by sorry
