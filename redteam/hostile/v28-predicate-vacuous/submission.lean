def Prime (n : Nat) : Prop := 2 ≤ n ∧ ∀ m, m ∣ n → m = m ∨ m = n
theorem target : Prime 9 := ⟨by decide, fun _ _ => Or.inl rfl⟩
