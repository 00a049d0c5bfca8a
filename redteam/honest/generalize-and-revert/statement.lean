def acc : Nat → Nat → Nat
  | 0, s => s
  | n + 1, s => acc n (s + n)
theorem target (n : Nat) : acc n 3 = acc n 0 + 3 := by sorry
