-- `by` inside terms, terms inside tactics, `(by ... : t)`, `show t by`, `from`.
def third (xs : List Nat) (h : xs.length = 3) : Nat := xs[2]'(by rw [h]; decide)

example : third [5, 6, 7] rfl = 7 := rfl

theorem t (a b : Nat) (h : a < b) : a ≤ b ∧ a ≠ b :=
  ⟨Nat.le_of_lt h, fun e => Nat.lt_irrefl b (by rw [e] at h; exact h)⟩

theorem u (a b c : Nat) (h : a + b = c) : c - a = b := by
  have h₁ : c = a + b := by
    symm
    exact h
  exact (by omega : c - a = b)

theorem v (n : Nat) : ∃ m, n < m ∧ m % 2 = 0 :=
  if h : n % 2 = 0 then ⟨n + 2, by omega, by omega⟩ else ⟨n + 1, by omega, by omega⟩
