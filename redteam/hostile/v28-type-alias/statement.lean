abbrev Num := Nat
theorem target (a b : Num) : a = b := by sorry
