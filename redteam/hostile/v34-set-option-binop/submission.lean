set_option autoImplicit true
set_option relaxedAutoImplicit true
theorem target : ∃ x : α, x = x := ⟨_, rfl⟩
