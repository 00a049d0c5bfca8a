@[reducible] def strange : HAdd Nat Nat Nat := ⟨fun a _ => a⟩
attribute [local instance high] strange
theorem target (n : Nat) : n + 1 = n := rfl
