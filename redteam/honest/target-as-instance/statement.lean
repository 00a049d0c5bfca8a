class Marked (n : Nat) : Prop where
  out : n = n
theorem target : Marked 3 := by sorry
