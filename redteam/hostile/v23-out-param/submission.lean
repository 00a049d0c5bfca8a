theorem target ⦃h : 1 = 2⦄ (n : Nat) : n + 1 = n := absurd h (by decide)
