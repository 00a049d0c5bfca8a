structure Zed where
instance (priority := high) : HAdd Nat Nat Zed := ⟨fun _ _ => ⟨⟩⟩
instance (priority := high) : HAdd Zed Nat Zed := ⟨fun a _ => a⟩
theorem target (a b : Nat) : a + b = b + a + 1 := rfl
