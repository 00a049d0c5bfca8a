theorem target : ((3 : Nat) : Int) = 0 := by sorry
