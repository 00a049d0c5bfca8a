def sumTo (n : Nat) : Nat := go n 0
where
  go : Nat → Nat → Nat
    | 0, acc => acc
    | n + 1, acc => go n (acc + (n + 1))
theorem target (n : Nat) : sumTo n = sumTo.go n 0 := by sorry
