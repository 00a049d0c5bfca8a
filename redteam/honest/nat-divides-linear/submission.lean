theorem target (d a b : Nat) : d ∣ a → d ∣ b → d ∣ 3 * a + b := by
  rintro ⟨k, rfl⟩ ⟨l, rfl⟩
  refine ⟨3 * k + l, ?_⟩
  rw [Nat.mul_add, Nat.mul_left_comm]
