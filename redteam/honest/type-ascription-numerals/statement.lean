theorem target (n : Nat) : ((n + 1 : Nat) : Int) - 1 = (n : Int) := by sorry
