-- A proof by `calc` as a tactic, with steps by different means and a leftover goal closed after it.
theorem mul_two_le (a b : Nat) (h : a ≤ b) : 2 * a ≤ b * 2 := by
  calc
    2 * a = a + a := by omega
    _ ≤ b + b := Nat.add_le_add h h
    _ = b * 2 := by rw [Nat.mul_comm, Nat.two_mul]

theorem strict_chain (a b c d : Nat) (h₁ : a < b) (h₂ : b = c) (h₃ : c ≤ d) : a + 1 ≤ d := by
  have : a < d := calc
    a < b := h₁
    _ = c := h₂
    _ ≤ d := h₃
  exact this

theorem iff_chain (p q r : Prop) (h₁ : p ↔ q) (h₂ : q ↔ r) : p → r :=
  (calc p
    _ ↔ q := h₁
    _ ↔ r := h₂).mp
