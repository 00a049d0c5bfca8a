-- Divisibility as an existential, with the usual closure properties.
theorem dvd_refl' (a : Nat) : a ∣ a := ⟨1, (Nat.mul_one a).symm⟩

theorem dvd_trans' {a b c : Nat} (h₁ : a ∣ b) (h₂ : b ∣ c) : a ∣ c := by
  obtain ⟨k, rfl⟩ := h₁
  obtain ⟨l, rfl⟩ := h₂
  exact ⟨k * l, Nat.mul_assoc a k l⟩

theorem dvd_add' {a b c : Nat} (hb : a ∣ b) (hc : a ∣ c) : a ∣ b + c := by
  obtain ⟨k, rfl⟩ := hb
  obtain ⟨l, rfl⟩ := hc
  exact ⟨k + l, (Nat.mul_add a k l).symm⟩

example : 3 ∣ 12 := by decide
example : ¬5 ∣ 12 := by decide
example (n : Nat) (h : 6 ∣ n) : 3 ∣ n := by omega
example (a b : Nat) (h : a ∣ b) : b % a = 0 := Nat.mod_eq_zero_of_dvd h
