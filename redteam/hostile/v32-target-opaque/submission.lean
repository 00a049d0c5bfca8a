opaque target : ∃ n : Nat, n = 3 := ⟨3, rfl⟩
