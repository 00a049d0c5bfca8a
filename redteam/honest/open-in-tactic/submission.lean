theorem target (a b : Nat) (h : a < b) : a + 1 ≤ b := by
  open Nat in exact succ_le_of_lt h
