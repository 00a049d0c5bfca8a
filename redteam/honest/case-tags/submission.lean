theorem target (n : Nat) (h : n = 0 ∨ 0 < n) : n = 0 ∨ ∃ m, n = m + 1 := by
  cases h
  case inr h =>
    cases n
    case zero => exact absurd h (Nat.lt_irrefl 0)
    case succ m => exact .inr ⟨m, rfl⟩
  next h => exact .inl h
