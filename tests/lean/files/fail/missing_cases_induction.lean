-- Alternatives of `induction` and `cases`: one missing, one misspelt.
-- expect: error 6:2 contains "Alternative `succ` has not been provided"
-- expect: error 10:2 contains "Alternative `succ` has not been provided"
-- expect: error 12:2 contains "Invalid alternative name `suc`"
theorem a (n : Nat) : n + 0 = n := by
  induction n with
  | zero => rfl

theorem b (n : Nat) : n = 0 ∨ 0 < n := by
  cases n with
  | zero => exact .inl rfl
  | suc n => exact .inr (Nat.succ_pos n)
