structure Claim where
  n : Nat
theorem Claim.proof (c : Claim) : c.n + 1 = c.n := by sorry
