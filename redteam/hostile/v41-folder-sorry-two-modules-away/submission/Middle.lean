import Bottom
theorem middle (n : Nat) : n + 1 = n := bottom n
