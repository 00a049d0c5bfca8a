def sq (n : Nat) : Nat := n * n
attribute [local simp] sq
theorem target : sq 3 = 9 := by simp
