theorem target (n : Nat) : let m := n + 1; let k := m * 2; k = 2 * n + 2 := by
  intro m k
  simp only [k, m]
  omega
