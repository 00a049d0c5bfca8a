theorem target : ∀ n < 40, n * n % 4 = 0 ∨ n * n % 4 = 1 := by decide
