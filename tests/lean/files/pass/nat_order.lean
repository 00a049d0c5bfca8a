-- Order on the natural numbers: reflexivity, transitivity, antisymmetry, totality.
example (a : Nat) : a ≤ a := Nat.le_refl a
example (a b c : Nat) (h₁ : a ≤ b) (h₂ : b ≤ c) : a ≤ c := Nat.le_trans h₁ h₂
example (a b : Nat) (h₁ : a ≤ b) (h₂ : b ≤ a) : a = b := Nat.le_antisymm h₁ h₂
example (a b : Nat) : a ≤ b ∨ b ≤ a := Nat.le_total a b
example (a b : Nat) : a < b ∨ a = b ∨ b < a := Nat.lt_trichotomy a b
example (a : Nat) : ¬a < a := Nat.lt_irrefl a
example (a b : Nat) (h : a < b) : a + 1 ≤ b := h
example (a b : Nat) : ¬a ≤ b ↔ b < a := Nat.not_le
example (a b : Nat) (h : ¬a < b) : b ≤ a := Nat.le_of_not_lt h
example (a b : Nat) (h : a ≤ b) : ∃ k, b = a + k := ⟨b - a, (Nat.add_sub_cancel' h).symm⟩
example (a b c : Nat) (h : a ≤ b) : c * a ≤ c * b := Nat.mul_le_mul_left c h

theorem pos_of_mul_pos {a b : Nat} (h : 0 < a * b) : 0 < a := by
  apply Nat.pos_of_ne_zero
  intro ha
  rw [ha, Nat.zero_mul] at h
  exact Nat.lt_irrefl 0 h
