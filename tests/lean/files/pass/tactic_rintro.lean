-- `rintro` combines introduction and destructuring.
example (p q r : Prop) : p ∧ (q ∨ r) → (p ∧ q) ∨ (p ∧ r) := by
  rintro ⟨hp, hq | hr⟩
  · exact .inl ⟨hp, hq⟩
  · exact .inr ⟨hp, hr⟩

example (f : Nat → Nat) : ∀ x y, x = y → f x = f y := by
  rintro x _ rfl
  rfl

example : ∀ n : Nat, (∃ k, n = 2 * k) → n % 2 = 0 := by
  rintro _ ⟨k, rfl⟩
  omega

example (p : Prop) : False ∨ p → p := by
  rintro (⟨⟨⟩⟩ | hp)
  exact hp
