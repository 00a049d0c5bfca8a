structure Easy (n : Nat) : Prop where
  le : n ≤ n
theorem target : Easy 3 := by sorry
