theorem «ѕоrrу ‮ free» (n : Nat) : n + 1 = n := sorry
theorem target (n : Nat) : n + 1 = n := «ѕоrrу ‮ free» n
