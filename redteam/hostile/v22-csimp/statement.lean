theorem target : Nat.add 3 4 = 12 := by sorry
