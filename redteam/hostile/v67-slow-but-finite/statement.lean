def slow : Nat → Nat → Nat
  | 0, k => k + 1
  | n + 1, k => slow n (slow n k)
theorem target : slow 40 0 = 3 := by sorry
