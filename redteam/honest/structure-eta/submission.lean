theorem target (p : Nat × Nat) : p = (p.1, p.2) := rfl
