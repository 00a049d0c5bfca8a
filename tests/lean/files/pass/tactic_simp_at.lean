-- `simp at`: at hypotheses, at several places, at `*`.
example (a b : Nat) (h : a + 0 = b * 1) : a = b := by
  simp at h
  exact h

example (xs : List Nat) (h : xs ++ [1] = []) : False := by
  simp at h

example (p q : Prop) (h : p ∧ True) (h' : q ∨ False) : p ∧ q := by
  simp at h h'
  exact ⟨h, h'⟩

example (a b : Nat) (h : (a, b) = (1, 2)) : a + b = 3 := by
  simp only [Prod.mk.injEq] at h
  obtain ⟨rfl, rfl⟩ := h
  rfl

example (f : Nat → Nat) (hf : ∀ x, f x = x) (a : Nat) (h : f a = 3) : f (f a) = 3 := by
  simp only [hf] at *
  exact h
