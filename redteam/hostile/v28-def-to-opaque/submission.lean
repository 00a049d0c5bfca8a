opaque f (_ : Nat) : Nat
theorem target : ∃ n, n = f 3 := ⟨_, rfl⟩
