def small : { n : Nat // n < 10 } := ⟨4, by decide⟩
theorem target : small.1 = 4 := rfl
