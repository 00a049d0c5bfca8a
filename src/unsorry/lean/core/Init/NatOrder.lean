prelude
import Init.NatSimproc
import Init.Termination
/-! The order of `Nat` under the names that users expect; what needs more than a term is in UserLemmas. -/
set_option linter.all false
namespace Nat
variable {a b c d m n k : Nat}
protected theorem one_add (n : Nat) : 1 + n = succ n := Nat.add_comm 1 n
protected theorem sub_one (n : Nat) : n - 1 = pred n := rfl
theorem pred_eq_sub_one {n : Nat} : pred n = n - 1 := rfl
@[simp] theorem add_one_sub_one (n : Nat) : n + 1 - 1 = n := rfl
theorem succ_sub_one (n : Nat) : succ n - 1 = n := rfl
theorem succ_pred : {n : Nat} → n ≠ 0 → succ (pred n) = n | 0, h => absurd rfl h | _+1, _ => rfl
theorem succ_pred_eq_of_pos (h : 0 < n) : succ (pred n) = n := succ_pred (Nat.ne_zero_of_lt h)
theorem exists_eq_succ_of_ne_zero : {n : Nat} → n ≠ 0 → ∃ k, n = succ k | 0, h => absurd rfl h | k+1, _ => ⟨k, rfl⟩
theorem exists_eq_add_one_of_ne_zero : {n : Nat} → n ≠ 0 → ∃ k, n = k + 1 := exists_eq_succ_of_ne_zero
theorem le_of_succ_le (h : succ n ≤ m) : n ≤ m := Nat.le_of_lt h
theorem succ_le_of_lt (h : n < m) : succ n ≤ m := h
theorem lt_of_succ_le (h : succ n ≤ m) : n < m := h
theorem lt_of_add_one_le (h : n + 1 ≤ m) : n < m := h
theorem add_one_le_of_lt (h : n < m) : n + 1 ≤ m := h
theorem add_one_le_iff : n + 1 ≤ m ↔ n < m := Iff.rfl
theorem succ_le_iff : succ m ≤ n ↔ m < n := Iff.rfl
theorem lt_succ_of_lt (h : a < b) : a < succ b := .step h
theorem lt_succ : m < succ n ↔ m ≤ n := lt_add_one_iff
theorem lt_succ_iff : m < succ n ↔ m ≤ n := lt_add_one_iff
theorem succ_lt_succ (h : n < m) : succ n < succ m := succ_le_succ h
theorem lt_of_succ_lt (h : succ n < m) : n < m := Nat.lt_trans (lt_succ_self n) h
theorem lt_of_succ_lt_succ (h : succ n < succ m) : n < m := le_of_succ_le_succ h
theorem succ_le_succ_iff : succ a ≤ succ b ↔ a ≤ b := ⟨le_of_succ_le_succ, succ_le_succ⟩
theorem succ_lt_succ_iff : succ a < succ b ↔ a < b := ⟨le_of_succ_le_succ, succ_le_succ⟩
protected theorem le_of_lt_add_one (h : n < m + 1) : n ≤ m := le_of_lt_succ h
protected theorem le_or_lt (a b : Nat) : a ≤ b ∨ b < a := (Nat.lt_or_ge b a).symm
protected theorem lt_or_le (a b : Nat) : a < b ∨ b ≤ a := Nat.lt_or_ge a b
protected theorem lt_trichotomy (a b : Nat) : a < b ∨ a = b ∨ b < a := (Nat.lt_or_ge a b).imp id fun h => (Nat.lt_or_eq_of_le h).symm.imp Eq.symm id
protected theorem lt_asymm (h : n < m) : ¬ m < n := fun h' => Nat.lt_irrefl n (Nat.lt_trans h h')
protected theorem lt_iff_le_and_ne : m < n ↔ m ≤ n ∧ m ≠ n := ⟨fun h => ⟨Nat.le_of_lt h, Nat.ne_of_lt h⟩, fun h => Nat.lt_of_le_of_ne h.1 h.2⟩
protected theorem lt_iff_le_not_le : m < n ↔ m ≤ n ∧ ¬ n ≤ m := ⟨fun h => ⟨Nat.le_of_lt h, Nat.not_le.2 h⟩, fun h => Nat.not_le.1 h.2⟩
protected theorem le_iff_lt_or_eq : n ≤ m ↔ n < m ∨ n = m := ⟨Nat.lt_or_eq_of_le, fun h => h.elim Nat.le_of_lt Nat.le_of_eq⟩
protected theorem le_antisymm_iff : a = b ↔ a ≤ b ∧ b ≤ a := ⟨fun h => ⟨Nat.le_of_eq h, Nat.le_of_eq h.symm⟩, fun h => Nat.le_antisymm h.1 h.2⟩
protected theorem not_le_of_gt (h : n > m) : ¬ n ≤ m := Nat.not_le.2 h
protected theorem not_le_of_lt (h : a < b) : ¬ b ≤ a := Nat.not_le.2 h
protected theorem not_lt_of_le (h : n ≤ m) : ¬ m < n := Nat.not_lt.2 h
protected theorem not_lt_of_ge (h : b ≥ a) : ¬ b < a := Nat.not_lt.2 h
protected theorem not_lt_of_lt (h : a < b) : ¬ b < a := Nat.not_lt.2 (Nat.le_of_lt h)
protected theorem gt_of_not_le (h : ¬ n ≤ m) : n > m := Nat.not_le.1 h
protected theorem ge_of_not_lt (h : ¬ n < m) : n ≥ m := Nat.not_lt.1 h
protected theorem ne_of_lt' (h : b < a) : a ≠ b := Nat.ne_of_gt h
protected theorem le_of_not_le (h : ¬ b ≤ a) : a ≤ b := Nat.le_of_lt (Nat.not_le.1 h)
protected theorem lt_of_not_ge (h : ¬ b ≥ a) : b < a := Nat.not_le.1 h
protected theorem le_zero : n ≤ 0 ↔ n = 0 := ⟨eq_zero_of_le_zero, Nat.le_of_eq⟩
protected theorem le_zero_iff : n ≤ 0 ↔ n = 0 := ⟨eq_zero_of_le_zero, Nat.le_of_eq⟩
protected theorem pos_iff_ne_zero : 0 < n ↔ n ≠ 0 := ⟨Nat.ne_zero_of_lt, Nat.pos_of_ne_zero⟩
protected theorem ne_zero_iff_zero_lt : n ≠ 0 ↔ 0 < n := ⟨Nat.pos_of_ne_zero, Nat.ne_zero_of_lt⟩
protected theorem zero_lt_of_ne_zero (h : n ≠ 0) : 0 < n := Nat.pos_of_ne_zero h
protected theorem ne_zero_of_pos (h : 0 < n) : n ≠ 0 := Nat.ne_zero_of_lt h
protected theorem eq_zero_of_not_pos (h : ¬ 0 < n) : n = 0 := eq_zero_of_le_zero (Nat.not_lt.1 h)
protected theorem zero_lt_of_lt (h : a < b) : 0 < b := Nat.lt_of_le_of_lt (zero_le a) h
theorem lt_one_iff : n < 1 ↔ n = 0 := lt_add_one_iff.trans Nat.le_zero
theorem one_le_iff_ne_zero : 1 ≤ n ↔ n ≠ 0 := Nat.pos_iff_ne_zero
protected theorem one_pos : 0 < 1 := by decide
protected theorem zero_ne_one : 0 ≠ 1 := by decide
protected theorem one_ne_zero : 1 ≠ 0 := by decide
theorem succ_inj {a b : Nat} : succ a = succ b ↔ a = b := ⟨Nat.succ.inj, congrArg succ⟩
theorem succ_inj' {a b : Nat} : succ a = succ b ↔ a = b := ⟨Nat.succ.inj, congrArg succ⟩
theorem le_add_right_of_le (h : n ≤ m) : n ≤ m + k := Nat.le_trans h (le_add_right m k)
theorem le_add_left_of_le (h : n ≤ m) : n ≤ k + m := Nat.le_trans h (le_add_left m k)
theorem lt_add_right (c : Nat) (h : a < b) : a < b + c := Nat.lt_of_lt_of_le h (le_add_right b c)
protected theorem lt_add_of_pos_right (h : 0 < k) : n < n + k := lt_add_right_iff.2 h
protected theorem lt_add_of_pos_left (h : 0 < k) : n < k + n := Nat.add_comm n k ▸ lt_add_right_iff.2 h
protected theorem pos_of_lt_add_right (h : n < n + k) : 0 < k := lt_add_right_iff.1 h
protected theorem le_of_add_right_le (h : n + k ≤ m) : n ≤ m := Nat.le_trans (le_add_right n k) h
protected theorem le_of_add_left_le (h : n + k ≤ m) : k ≤ m := Nat.le_trans (le_add_left k n) h
protected theorem lt_of_add_right_lt (h : n + k < m) : n < m := Nat.lt_of_le_of_lt (le_add_right n k) h
protected theorem add_lt_add (h₁ : a < b) (h₂ : c < d) : a + c < b + d := Nat.lt_trans (Nat.add_lt_add_right h₁ c) (Nat.add_lt_add_left h₂ b)
protected theorem add_lt_add_of_le_of_lt (h₁ : a ≤ b) (h₂ : c < d) : a + c < b + d := Nat.lt_of_le_of_lt (Nat.add_le_add_right h₁ c) (Nat.add_lt_add_left h₂ b)
protected theorem add_lt_add_of_lt_of_le (h₁ : a < b) (h₂ : c ≤ d) : a + c < b + d := Nat.lt_of_lt_of_le (Nat.add_lt_add_right h₁ c) (Nat.add_le_add_left h₂ b)
protected theorem lt_of_add_lt_add_left (h : n + k < n + m) : k < m := add_lt_add_iff_left.1 h
protected theorem lt_of_add_lt_add_right (h : k + n < m + n) : k < m := add_lt_add_iff_right.1 h
protected theorem add_pos_left (h : 0 < m) (n : Nat) : 0 < m + n := Nat.lt_of_lt_of_le h (le_add_right m n)
protected theorem add_pos_right (m : Nat) (h : 0 < n) : 0 < m + n := Nat.lt_of_lt_of_le h (le_add_left n m)
protected theorem max_def {a b : Nat} : max a b = if a ≤ b then b else a := rfl
protected theorem min_def {a b : Nat} : min a b = if a ≤ b then a else b := rfl
end Nat
