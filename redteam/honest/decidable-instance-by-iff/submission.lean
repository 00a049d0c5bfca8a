def Square (n : Nat) : Prop := ∃ k, k ≤ n ∧ k * k = n
instance (n : Nat) : Decidable (Square n) :=
  decidable_of_iff (∃ k, k < n + 1 ∧ k * k = n) ⟨fun ⟨k, h, e⟩ => ⟨k, by omega, e⟩, fun ⟨k, h, e⟩ => ⟨k, by omega, e⟩⟩
theorem target : Square 49 ∧ ¬Square 50 := by
  constructor
  · exact ⟨7, by decide, rfl⟩
  · rintro ⟨k, _, e⟩
    have : k < 8 := by
      apply Nat.lt_of_not_le
      intro h
      have := Nat.mul_le_mul h h
      omega
    have : 7 < k ∨ k ≤ 7 := by omega
    rcases this with h | h
    · omega
    · have := Nat.mul_le_mul h h
      omega
