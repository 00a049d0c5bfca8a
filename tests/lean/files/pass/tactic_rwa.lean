-- `rwa` rewrites and closes the goal by assumption.
example (a b : Nat) (p : Nat → Prop) (h : a = b) (hb : p b) : p a := by rwa [h]

example (p q r : Prop) (h : p ↔ q) (hr : r ∧ q) : r ∧ p := by rwa [h]

example (a b : Nat) (h : a + 0 = b) (hb : b = 3) : a = 3 := by
  rw [Nat.add_zero] at h
  rwa [hb] at h
