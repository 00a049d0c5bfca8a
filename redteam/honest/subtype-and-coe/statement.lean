theorem target (x : { n : Nat // 0 < n }) : x.val ≠ 0 := by sorry
