-- `cases` with alternatives, on hypotheses, with equations, impossible cases.
example (n : Nat) (h : n ≠ 0) : ∃ m, n = m + 1 := by
  cases n with
  | zero => contradiction
  | succ m => exact ⟨m, rfl⟩

example (p q : Prop) : p ∨ q → q ∨ p := by
  intro h
  cases h
  case inl hp => exact Or.inr hp
  case inr hq => exact Or.inl hq

inductive Even : Nat → Prop where
  | zero : Even 0
  | step {n : Nat} (h : Even n) : Even (n + 2)

theorem not_even_one : ¬Even 1 := by
  intro h
  cases h

theorem even_sub_two {n : Nat} (h : Even (n + 2)) : Even n := by
  cases h with
  | step h => exact h

example (b : Bool) : b = true ∨ b = false := by
  cases hb : b
  · exact Or.inr rfl
  · exact Or.inl rfl

example (xs : List Nat) (h : xs.length = 0) : xs = [] := by
  cases xs with
  | nil => rfl
  | cons _ _ => simp at h
