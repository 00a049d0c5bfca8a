theorem target : ¬ ∃ n : Nat, n < 0 := by
  rintro ⟨n, h⟩
  exact Nat.not_lt_zero n h
