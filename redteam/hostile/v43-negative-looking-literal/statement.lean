theorem target : (18446744073709551616 : Nat) = 0 := by sorry
