theorem unrelated : 1 = 2 := sorry
theorem target (n : Nat) : n + 0 = n := rfl
