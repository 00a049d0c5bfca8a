theorem target : ∃ n : Nat, n + 1 = n := by
  refine ⟨?w, ?h⟩
  case h => exact (rfl : ?w + 1 = ?w + 1)
