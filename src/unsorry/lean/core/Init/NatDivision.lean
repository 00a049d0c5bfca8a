prelude
import Init.UserLemmas
/-! Division, divisibility, greatest common divisors and powers of natural numbers. -/
set_option linter.all false
namespace Nat
variable {a b c d m n k : Nat}
theorem mod_add_div (m k : Nat) : m % k + k * (m / k) = m := Nat.add_comm _ _ ▸ div_add_mod m k
theorem div_add_mod' (a b : Nat) : a / b * b + a % b = a := Nat.mul_comm b _ ▸ div_add_mod a b
@[simp] theorem add_mod_left (x z : Nat) : (x + z) % x = z % x := by rw [Nat.add_comm, add_mod_right]
theorem mod_two_eq_zero_or_one (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by omega
theorem mod_two_eq (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by omega
theorem mod_add_mod (m n k : Nat) : (m % n + k) % n = (m + k) % n := by
  have h := add_mul_mod_self_left (m % n + k) n (m / n); rw [Nat.add_right_comm, mod_add_div] at h; exact h.symm
theorem add_mod_mod (m n k : Nat) : (m + n % k) % k = (m + n) % k := by rw [Nat.add_comm, mod_add_mod, Nat.add_comm]
attribute [simp] mod_add_mod add_mod_mod
theorem add_mod (a b n : Nat) : (a + b) % n = (a % n + b % n) % n := by rw [add_mod_mod, mod_add_mod]
theorem mul_mod (a b n : Nat) : a * b % n = (a % n) * (b % n) % n := by
  have ha := (mod_add_div a n).symm; have hb := (mod_add_div b n).symm
  generalize a % n = x at *; generalize b % n = y at *; generalize a / n = p at *; generalize b / n = q at *
  rw [ha, hb, Nat.mul_add, Nat.add_mul, Nat.add_assoc,
    show n * p * y + (x + n * p) * (n * q) = n * (p * y + (x + n * p) * q) by rw [Nat.mul_add, Nat.mul_assoc, Nat.mul_left_comm n (x + n * p)], add_mul_mod_self_left]
theorem mod_eq_sub_mod (h : a ≥ b) : a % b = (a - b) % b := by
  obtain ⟨k, rfl⟩ := exists_eq_add_of_le h; rw [add_mod_left, Nat.add_sub_cancel_left]
theorem add_div_right (x : Nat) {z : Nat} (h : 0 < z) : (x + z) / z = x / z + 1 := by have e := add_mul_div_left x 1 h; rw [Nat.mul_one] at e; exact e
theorem add_div_left (x : Nat) {z : Nat} (h : 0 < z) : (z + x) / z = x / z + 1 := by rw [Nat.add_comm, add_div_right x h]
protected theorem mul_div_cancel' (h : b ∣ a) : b * (a / b) = a := by have e := div_add_mod a b; rw [mod_eq_zero_of_dvd h] at e; exact e
protected theorem div_mul_cancel (h : b ∣ a) : a / b * b = a := by rw [Nat.mul_comm, Nat.mul_div_cancel' h]
theorem div_le_div_right {c : Nat} (h : a ≤ b) : a / c ≤ b / c := by
  cases Nat.eq_zero_or_pos c with
  | inl e => rw [e, Nat.div_zero]; exact zero_le _
  | inr hc => exact (le_div_iff_mul_le hc).2 (Nat.le_trans (div_mul_le_self a c) h)
protected theorem mul_left_cancel_iff (h : 0 < a) : a * b = a * c ↔ b = c := ⟨Nat.eq_of_mul_eq_mul_left h, fun e => e ▸ rfl⟩
protected theorem mul_right_cancel_iff (h : 0 < a) : b * a = c * a ↔ b = c := ⟨Nat.eq_of_mul_eq_mul_right h, fun e => e ▸ rfl⟩
theorem div_div_eq_div_mul (m n k : Nat) : m / n / k = m / (n * k) := by
  cases Nat.eq_zero_or_pos k with
  | inl h => rw [h, Nat.mul_zero, Nat.div_zero, Nat.div_zero]
  | inr hk => cases Nat.eq_zero_or_pos n with
    | inl h => rw [h, Nat.zero_mul, Nat.div_zero, Nat.zero_div]
    | inr hn =>
      apply Nat.le_antisymm
      · rw [le_div_iff_mul_le (Nat.mul_pos hn hk), Nat.mul_comm n, ← Nat.mul_assoc]
        exact Nat.le_trans (Nat.mul_le_mul_right n (div_mul_le_self (m / n) k)) (div_mul_le_self m n)
      · rw [le_div_iff_mul_le hk, le_div_iff_mul_le hn, Nat.mul_assoc, Nat.mul_comm k]; exact div_mul_le_self m (n * k)
theorem div_eq_iff_eq_mul_left (h : 0 < b) (hd : b ∣ a) : a / b = c ↔ a = c * b :=
  ⟨fun e => by rw [← e, Nat.div_mul_cancel hd], fun e => by rw [e, Nat.mul_div_cancel c h]⟩
theorem dvd_sub (h₁ : k ∣ m) (h₂ : k ∣ n) : k ∣ m - n := by
  obtain ⟨x, rfl⟩ := h₁; obtain ⟨y, rfl⟩ := h₂; exact ⟨x - y, (Nat.mul_sub k x y).symm⟩
theorem dvd_add_right (h : k ∣ m) : k ∣ m + n ↔ k ∣ n :=
  ⟨fun h' => by have e := dvd_sub h' h; rw [Nat.add_sub_cancel_left] at e; exact e, Nat.dvd_add h⟩
theorem eq_zero_of_zero_dvd (h : 0 ∣ a) : a = 0 := by obtain ⟨x, rfl⟩ := h; exact Nat.zero_mul x
theorem dvd_antisymm (h₁ : m ∣ n) (h₂ : n ∣ m) : m = n := by
  cases Nat.eq_zero_or_pos n with
  | inl h => subst h; exact eq_zero_of_zero_dvd h₂
  | inr h => cases Nat.eq_zero_or_pos m with
    | inl h' => subst h'; exact (eq_zero_of_zero_dvd h₁).symm
    | inr h' => exact Nat.le_antisymm (le_of_dvd h h₁) (le_of_dvd h' h₂)
theorem dvd_mul_left_of_dvd (h : a ∣ b) (c : Nat) : a ∣ c * b := Nat.dvd_trans h (Nat.dvd_mul_left b c)
theorem dvd_mul_right_of_dvd (h : a ∣ b) (c : Nat) : a ∣ b * c := Nat.dvd_trans h (Nat.dvd_mul_right b c)
theorem dvd_mod_iff (h : k ∣ n) : k ∣ m % n ↔ k ∣ m := by
  have e := dvd_add_right (n := m % n) (dvd_mul_right_of_dvd h (m / n)); rw [div_add_mod] at e; exact e.symm
theorem gcdLoop_greatest (k m n d : Nat) (hm : d ∣ m) (hn : d ∣ n) : d ∣ gcdLoop k m n := by
  induction k generalizing m n with
  | zero => exact hn
  | succ k ih =>
    show d ∣ if m = 0 then n else gcdLoop k (n % m) m
    split
    · exact hn
    · exact ih _ _ ((dvd_mod_iff hm).2 hn) hm
theorem dvd_gcd (hm : k ∣ m) (hn : k ∣ n) : k ∣ gcd m n := gcdLoop_greatest _ m n k hm hn
theorem dvd_gcd_iff : k ∣ gcd m n ↔ k ∣ m ∧ k ∣ n := ⟨fun h => ⟨Nat.dvd_trans h (gcd_dvd_left m n), Nat.dvd_trans h (gcd_dvd_right m n)⟩, fun h => dvd_gcd h.1 h.2⟩
theorem gcd_comm (m n : Nat) : gcd m n = gcd n m := dvd_antisymm (dvd_gcd (gcd_dvd_right m n) (gcd_dvd_left m n)) (dvd_gcd (gcd_dvd_right n m) (gcd_dvd_left n m))
theorem gcd_assoc (m n k : Nat) : gcd (gcd m n) k = gcd m (gcd n k) :=
  dvd_antisymm (dvd_gcd_iff.2 ⟨(dvd_gcd_iff.1 (gcd_dvd_left _ k)).1, dvd_gcd (dvd_gcd_iff.1 (gcd_dvd_left _ k)).2 (gcd_dvd_right _ k)⟩)
    (dvd_gcd_iff.2 ⟨dvd_gcd (gcd_dvd_left m _) (dvd_gcd_iff.1 (gcd_dvd_right m _)).1, (dvd_gcd_iff.1 (gcd_dvd_right m _)).2⟩)
@[simp] theorem gcd_zero_left (n : Nat) : gcd 0 n = n := rfl
@[simp] theorem gcd_zero_right (n : Nat) : gcd n 0 = n := by rw [gcd_comm, gcd_zero_left]
@[simp] theorem gcd_self (n : Nat) : gcd n n = n := dvd_antisymm (gcd_dvd_left n n) (dvd_gcd (Nat.dvd_refl n) (Nat.dvd_refl n))
theorem gcd_rec (m n : Nat) : gcd m n = gcd (n % m) m := by
  apply dvd_antisymm
  · exact dvd_gcd ((dvd_mod_iff (gcd_dvd_left m n)).2 (gcd_dvd_right m n)) (gcd_dvd_left m n)
  · exact dvd_gcd (gcd_dvd_right _ m) ((dvd_mod_iff (gcd_dvd_right (n % m) m)).1 (gcd_dvd_left _ m))
@[simp] protected theorem one_pow (n : Nat) : 1 ^ n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, ih]
protected theorem zero_pow (h : 0 < n) : 0 ^ n = 0 := by
  obtain ⟨k, rfl⟩ := exists_eq_succ_of_ne_zero (Nat.ne_zero_of_pos h); rfl
@[simp] protected theorem pow_one (a : Nat) : a ^ 1 = a := by rw [Nat.pow_succ, Nat.pow_zero, Nat.one_mul]
protected theorem pow_two (a : Nat) : a ^ 2 = a * a := by rw [Nat.pow_succ, Nat.pow_one]
protected theorem pow_succ' (a n : Nat) : a ^ (n + 1) = a * a ^ n := by rw [Nat.pow_succ, Nat.mul_comm]
protected theorem pow_add (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => rw [Nat.add_zero, Nat.pow_zero, Nat.mul_one]
  | succ n ih => rw [← Nat.add_assoc, Nat.pow_succ, ih, Nat.pow_succ, Nat.mul_assoc]
protected theorem pow_mul (a m n : Nat) : a ^ (m * n) = (a ^ m) ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [mul_add_one, Nat.pow_add, ih, Nat.pow_succ]
protected theorem mul_pow (a b n : Nat) : (a * b) ^ n = a ^ n * b ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, ih, Nat.pow_succ, Nat.pow_succ]; ac_rfl
theorem pow_le_pow_left (h : m ≤ n) (i : Nat) : m ^ i ≤ n ^ i := by
  induction i with
  | zero => exact Nat.le_refl 1
  | succ i ih => exact Nat.mul_le_mul ih h
theorem pow_le_pow_right (h : 0 < n) {m k : Nat} (hk : m ≤ k) : n ^ m ≤ n ^ k := by
  obtain ⟨d, rfl⟩ := exists_eq_add_of_le hk
  rw [Nat.pow_add]; have e := Nat.mul_le_mul_left (n ^ m) (pow_pos (n := d) h); rw [Nat.mul_one] at e; exact e
theorem pow_lt_pow_right (h : 1 < a) (hm : m < n) : a ^ m < a ^ n :=
  Nat.lt_of_lt_of_le (by rw [Nat.pow_succ]; have e := Nat.mul_lt_mul_of_pos_left h (pow_pos (p := a) (n := m) (by omega)); rw [Nat.mul_one] at e; exact e) (pow_le_pow_right (by omega) hm)
theorem pos_pow_of_pos (n : Nat) (h : 0 < b) : 0 < b ^ n := pow_pos h
theorem two_pow_pos (n : Nat) : 0 < 2 ^ n := pow_pos (by decide)
protected theorem one_le_two_pow : 1 ≤ 2 ^ n := two_pow_pos n
theorem lt_two_pow_self : n < 2 ^ n := by
  induction n with
  | zero => decide
  | succ n ih => rw [Nat.pow_succ]; omega
theorem lt_two_pow (n : Nat) : n < 2 ^ n := lt_two_pow_self
end Nat
/-! what simp answers for divisibility of literals -/
protected theorem Nat.dvd_eq_true_of_mod_eq_zero {m n : Nat} (h : (n % m == 0) = true) : (m ∣ n) = True :=
  eq_true (dvd_of_mod_eq_zero (eq_of_beq h))
protected theorem Nat.dvd_eq_false_of_mod_ne_zero {m n : Nat} (h : (n % m != 0) = true) : (m ∣ n) = False :=
  eq_false fun d => by rw [mod_eq_zero_of_dvd d] at h; exact Bool.noConfusion h
protected theorem Int.dvd_eq_true_of_mod_eq_zero {a b : Int} (h : (b % a == 0) = true) : (a ∣ b) = True :=
  eq_true (dvd_of_emod_eq_zero (eq_of_beq h))
protected theorem Int.dvd_eq_false_of_mod_ne_zero {a b : Int} (h : (b % a != 0) = true) : (a ∣ b) = False :=
  eq_false fun d => by rw [emod_eq_zero_of_dvd d] at h; exact Bool.noConfusion h
