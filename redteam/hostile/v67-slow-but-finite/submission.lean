def slow : Nat → Nat → Nat
  | 0, k => k + 1
  | n + 1, k => slow n (slow n k)
set_option maxHeartbeats 0
set_option maxRecDepth 1000000
theorem target : slow 40 0 = 3 := by decide
