-- Names of the library: division, remainder, divisibility.
variable (a b c n m k : Nat)
example : n % 1 = 0 := Nat.mod_one n
example : n % n = 0 := Nat.mod_self n
example (h : a < b) : a % b = a := Nat.mod_eq_of_lt h
example (h : a < b) : a / b = 0 := Nat.div_eq_of_lt h
example : n / 1 = n := Nat.div_one n
example (h : 0 < n) : n / n = 1 := Nat.div_self h
example (h : 0 < n) : m * n / n = m := Nat.mul_div_cancel m h
example (h : 0 < n) : n * m / n = m := Nat.mul_div_cancel_left m h
example : (a + b * c) % b = a % b := Nat.add_mul_mod_self_left a b c
example : (a + b) % b = a % b := Nat.add_mod_right a b
example : (a + b) % n = (a % n + b % n) % n := Nat.add_mod a b n
example : a * b % n = (a % n) * (b % n) % n := Nat.mul_mod a b n
example : a % n % n = a % n := Nat.mod_mod a n
example (h : a ∣ b) (h' : b ∣ a) : a = b := Nat.dvd_antisymm h h'
example (h : k ∣ m) : k ∣ m * n := Nat.dvd_mul_right_of_dvd h n
example : a ∣ a * b := Nat.dvd_mul_right a b
example : a ∣ b * a := Nat.dvd_mul_left a b
example (h : k ∣ m) (h' : k ∣ n) : k ∣ m + n := Nat.dvd_add h h'
example (h : 0 < n) (h' : m ∣ n) : m ≤ n := Nat.le_of_dvd h h'
example (h : a ∣ b) : a * (b / a) = b := Nat.mul_div_cancel' h
example : n ∣ m ↔ m % n = 0 := Nat.dvd_iff_mod_eq_zero
