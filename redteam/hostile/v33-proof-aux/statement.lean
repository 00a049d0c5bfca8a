def small : { n : Nat // n < 10 } := ⟨3, by decide⟩
theorem target : small.1 = 4 := by sorry
