theorem target (x : Int) (h : x % 6 = 5) : x % 2 = 1 ∧ x % 3 = 2 := by omega
