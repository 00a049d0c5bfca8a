def h (n : Nat) : Nat := if hn : n < 2 then 0 else h (n - 2)
termination_by n
theorem target : h 1 = 0 := by unfold h; simp
