opaque key : Nat := 5
theorem target : key = key := by sorry
