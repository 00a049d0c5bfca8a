def loop : Nat → Nat → Nat
  | 0, acc => acc
  | n + 1, acc => loop n (acc + 2)
theorem target (n : Nat) : loop n 0 = 2 * n := by sorry
