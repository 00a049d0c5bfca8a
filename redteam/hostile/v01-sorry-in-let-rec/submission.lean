theorem target (n : Nat) : n + 1 = n := by
  let rec go (m : Nat) : m + 1 = m := by sorry
  exact go n
