variable (n : Nat)
def double := n + n
variable {n}
theorem target (h : 0 < n) : n < double n := by sorry
