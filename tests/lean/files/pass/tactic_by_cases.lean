-- Case distinction on a proposition, with and without decidability.
example (p q : Prop) (h₁ : p → q) (h₂ : ¬p → q) : q := by
  by_cases hp : p
  · exact h₁ hp
  · exact h₂ hp

example (p : Prop) [Decidable p] (a b : Nat) (h : a = b) : (if p then a else b) = b := by
  by_cases hp : p
  · rw [if_pos hp, h]
  · rw [if_neg hp]

example (a b : Nat) : a ≤ b ∨ b ≤ a := by
  by_cases h : a ≤ b
  case pos => exact .inl h
  case neg => exact .inr (Nat.le_of_not_le h)

example (n : Nat) : n = 0 ∨ 0 < n := by
  if h : n = 0 then
    exact .inl h
  else
    exact .inr (Nat.pos_of_ne_zero h)
