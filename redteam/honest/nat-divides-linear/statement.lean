theorem target (d a b : Nat) : d ∣ a → d ∣ b → d ∣ 3 * a + b := by sorry
