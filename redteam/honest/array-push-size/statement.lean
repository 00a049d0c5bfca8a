theorem target (a : Array Nat) (x y : Nat) : ((a.push x).push y).size = a.size + 2 := by sorry
