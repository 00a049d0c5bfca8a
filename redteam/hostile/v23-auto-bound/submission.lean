set_option autoImplicit true
theorem target {c : Nat} (h : c = 4) : ∃ n : Nat, n = c ∧ c = 4 := ⟨c, rfl, h⟩
