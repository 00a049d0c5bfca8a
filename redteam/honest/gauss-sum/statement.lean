def total : Nat → Nat
  | 0 => 0
  | n + 1 => total n + (n + 1)
theorem target (n : Nat) : 2 * total n = n * (n + 1) := by sorry
