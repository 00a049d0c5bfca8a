axiom unused : ∃ n : Nat, n = 3
theorem target (n : Nat) : n + 0 = n := rfl
