-- `rcases` and `obtain` patterns: nested, alternatives, `rfl`, underscores, type ascription.
example (p q r : Prop) (h : (p ∧ q) ∨ r) (hr : r → q) : q := by
  rcases h with ⟨_, hq⟩ | h
  · exact hq
  · exact hr h

example (h : ∃ x y : Nat, x = y + 1 ∧ y = 4) : ∃ x, x = 5 := by
  obtain ⟨x, y, hx, rfl⟩ := h
  exact ⟨x, hx⟩

example (n : Nat) (h : n = 0 ∨ n = 1 ∨ n = 2) : n < 3 := by
  rcases h with rfl | rfl | rfl <;> decide

example (p q : Prop) (h : p ∧ q) : p := by
  obtain ⟨hp, -⟩ := h
  exact hp

example (a b : Nat) (h : a ≤ b) : ∃ c, b = a + c := by
  obtain ⟨c, rfl⟩ : ∃ c, b = a + c := ⟨b - a, by omega⟩
  exact ⟨c, rfl⟩

example (p q : Prop) (h : p → q) (hp : p) : q := by
  have hq : q := h hp
  rcases hq with (hq : q)
  exact hq

example (xs : List Nat) (h : xs ≠ []) : ∃ y ys, xs = y :: ys := by
  rcases xs with _ | ⟨y, ys⟩
  · contradiction
  · exact ⟨y, ys, rfl⟩
