-- Division and remainder: the defining equation, bounds, parity.
example (a b : Nat) : b * (a / b) + a % b = a := Nat.div_add_mod a b
example (a b : Nat) (h : 0 < b) : a % b < b := Nat.mod_lt a h
example : 17 / 5 = 3 ∧ 17 % 5 = 2 := by decide
example (n : Nat) : n / 2 ≤ n := Nat.div_le_self n 2

theorem even_or_odd (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by omega

theorem half_twice (n : Nat) (h : n % 2 = 0) : n / 2 + n / 2 = n := by omega

theorem odd_square (n k : Nat) (h : n = 2 * k + 1) : (n * n) % 2 = 1 := by
  subst h
  have : (2 * k + 1) * (2 * k + 1) = 2 * (2 * (k * k) + 2 * k) + 1 := by
    rw [Nat.mul_add, Nat.add_mul, Nat.mul_one, Nat.one_mul, Nat.mul_assoc, Nat.mul_left_comm k]
    omega
  omega
