instance (priority := high) : Inhabited Nat := ⟨7⟩
theorem target : (default : Nat) = 7 := rfl
