local instance (priority := high) weird : HAdd Nat Nat Nat := ⟨fun a _ => a⟩
theorem target (n : Nat) : n + 1 = n := rfl
