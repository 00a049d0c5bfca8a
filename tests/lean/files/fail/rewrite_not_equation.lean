-- `rw` needs an equation or an equivalence.
-- expect: error 4:6 contains "Invalid rewrite argument: Expected an equality or iff proof or definition name, but `h` is a proof of\n  a < b"
theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b := by
  rw [h]
