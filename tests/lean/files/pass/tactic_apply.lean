-- `apply`: new goals in order, unification with the conclusion, `apply ... at` free forms.
theorem le_chain (a b c d : Nat) (h₁ : a ≤ b) (h₂ : b ≤ c) (h₃ : c ≤ d) : a ≤ d := by
  apply Nat.le_trans
  · exact h₁
  · apply Nat.le_trans h₂ h₃

example (p q r : Prop) (h : p → q → r) (hp : p) (hq : q) : r := by
  apply h
  · exact hp
  · exact hq

example (p q : Prop) (h : ¬q) (hpq : p → q) : ¬p := by
  intro hp
  apply h
  apply hpq
  exact hp

example (f : Nat → Nat) (mono : ∀ a b, a ≤ b → f a ≤ f b) : f 2 ≤ f 5 := by
  apply mono
  decide
