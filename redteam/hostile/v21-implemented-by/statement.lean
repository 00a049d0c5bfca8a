def g (n : Nat) : Bool := false
theorem target : g 3 = true := by sorry
