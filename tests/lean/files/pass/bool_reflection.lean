-- From Boolean tests to propositions and back.
theorem of_beq {m n : Nat} (h : (m == n) = true) : m = n := eq_of_beq h

theorem beq_self (n : Nat) : (n == n) = true := by simp

theorem test_iff (m n : Nat) : (m == n) = true ↔ m = n := beq_iff_eq

theorem decide_lt (m n : Nat) (h : m < n) : decide (m < n) = true := decide_eq_true h

theorem test_of_ne {m n : Nat} (h : m ≠ n) : (m == n) = false := by simp [h]

theorem not_true_eq_false' (b : Bool) (h : ¬b = true) : b = false := by
  cases b with
  | false => rfl
  | true => exact absurd rfl h
