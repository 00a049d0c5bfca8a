theorem target (a b c : Nat) (h : a + b = c) (k : c = 7) : b + a = 7 := by sorry
