def conc (a b : Nat) : Nat := 10 * a + b
infixl:67 " # " => conc
theorem target : 1 # 2 # 3 + 4 = 127 := by sorry
