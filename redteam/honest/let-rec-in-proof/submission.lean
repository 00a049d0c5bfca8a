theorem target (n : Nat) : n ≤ 2 ^ n := by
  let rec go : ∀ n : Nat, n + 1 ≤ 2 ^ n
    | 0 => Nat.le_refl 1
    | n + 1 => by
      have := go n
      rw [Nat.pow_succ]
      omega
  exact Nat.le_of_succ_le (go n)
