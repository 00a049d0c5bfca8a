opaque bound : { n : Nat // 0 < n } := ⟨7, by decide⟩
theorem target : bound.val ≠ 0 := by sorry
