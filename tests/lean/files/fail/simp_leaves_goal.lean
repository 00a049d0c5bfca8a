-- `simp` simplifies but does not prove; the remaining goal is shown.
-- expect: error 3:41 contains "⊢ a < b"
theorem t (a b : Nat) : a + 0 < b * 1 := by
  simp
