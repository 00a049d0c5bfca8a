opaque secret : Nat
theorem target : ∃ n : Nat, n = n := ⟨secret, rfl⟩
