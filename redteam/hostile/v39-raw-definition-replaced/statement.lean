def claim : Prop := 1 = 2
theorem target : claim := by sorry
