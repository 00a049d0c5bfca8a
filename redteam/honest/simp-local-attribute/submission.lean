def g (n : Nat) : Nat := if n = 0 then 1 else n
section
attribute [local simp] g
theorem g_zero : g 0 = 1 := by simp
end
theorem target : g (g 0) = 1 := by rw [g_zero]; simp [g]
