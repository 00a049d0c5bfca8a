-- Goals with tags from named holes, `case'`, `next`, `rename_i`, patterns in `case`.
example (p q r : Prop) (h : p ∨ q ∨ r) : r ∨ q ∨ p := by
  rcases h with h | h | h
  case inl => exact .inr (.inr h)
  case inr.inl => exact .inr (.inl h)
  case inr.inr => exact .inl h

example (n : Nat) : n = 0 ∨ ∃ m, n = m + 1 := by
  cases n
  case zero => exact .inl rfl
  case succ k => exact .inr ⟨k, rfl⟩

example (xs : List Nat) : xs = [] ∨ xs ≠ [] := by
  cases xs
  next => exact .inl rfl
  next x xs => exact .inr (by simp)

example (a b : Nat) : a + b = b + a := by
  induction b
  case zero => simp
  case succ n ih => rw [← Nat.add_assoc, ih, Nat.add_right_comm]
