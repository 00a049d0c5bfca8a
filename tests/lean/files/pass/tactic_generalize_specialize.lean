-- `generalize`, `specialize`, `revert`, `clear`, `rename_i`, `replace`.
example (f : Nat → Nat) (x y : Nat) (h : f x + 0 = y) : f x = y := by
  generalize f x = z at h ⊢
  exact h

example (a b : Nat) (h : a * b = 6) : ∃ c, c = 6 ∧ c = a * b := by
  generalize hc : a * b = c
  exact ⟨c, by rw [← hc, h], rfl⟩

example (p : Nat → Prop) (h : ∀ n, n < 5 → p n) : p 3 := by
  specialize h 3 (by decide)
  exact h

example (a b : Nat) (h : a = b) : b = a := by
  revert h
  intro e
  exact e.symm

example (a b : Nat) (h : a = b) (hb : b = 3) : a = 3 := by
  have h' := h.trans hb
  clear h hb
  exact h'

example : ∀ p q : Prop, p → q → p := by
  intros
  rename_i p q hp hq
  exact hp

example (p q : Prop) (h : p ∧ q) : p := by
  replace h := h.1
  exact h
