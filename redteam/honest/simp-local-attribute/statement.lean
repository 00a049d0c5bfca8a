def g (n : Nat) : Nat := if n = 0 then 1 else n
theorem target : g (g 0) = 1 := by sorry
