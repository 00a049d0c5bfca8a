def odds : Nat → Nat
  | 0 => 0
  | n + 1 => odds n + (2 * n + 1)
theorem target (n : Nat) : odds n = n * n := by sorry
