theorem target (a b : Nat) (h : (a : Int) + b = 5) : a + b = 5 := by exact_mod_cast h
