def pick (n : Nat) (_ : 0 < n) : Nat := n - 1
theorem target (n : Nat) (h k : 0 < n) : pick n h = pick n k := by sorry
