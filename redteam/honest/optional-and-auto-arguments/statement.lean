def shift (n : Nat) (by' : Nat := 1) (h : by' ≤ n := by decide) : Nat := n - by'
theorem target : shift 5 = 4 ∧ shift 5 2 = 3 := by sorry
