theorem target : ∃ n : Nat, n ^ 2 + 1 = 0 := by
  first
    | omega
    | decide
    | simp
    | exact ⟨0, rfl⟩
