-- Names of the library: addition and multiplication of natural numbers.
variable (a b c d n m k : Nat)
example : a + b - b = a := Nat.add_sub_cancel
example : a + b - a = b := Nat.add_sub_cancel_left
example : a + b + c = a + c + b := Nat.add_right_comm a b c
example : a + (b + c) = b + (a + c) := Nat.add_left_comm a b c
example (h : a + b = a + c) : b = c := Nat.add_left_cancel h
example : a * (b * c) = b * (a * c) := Nat.mul_left_comm a b c
example : a * b * c = a * c * b := Nat.mul_right_comm a b c
example : (a - b) * c = a * c - b * c := Nat.sub_mul a b c
example : a * (b - c) = a * b - a * c := Nat.mul_sub a b c
example : 2 * n = n + n := Nat.two_mul n
example : n * 0 = 0 := Nat.mul_zero n
example : n * (m + 1) = n * m + n := Nat.mul_succ n m
example : (n + 1) * m = n * m + m := Nat.succ_mul n m
example : n + 1 ≠ 0 := Nat.succ_ne_zero n
example (h : n + 1 = m + 1) : n = m := Nat.succ.inj h
example : a + b = 0 ↔ a = 0 ∧ b = 0 := Nat.add_eq_zero_iff
example : a * b = 0 ↔ a = 0 ∨ b = 0 := Nat.mul_eq_zero
example (h : 0 < k) : k * a = k * b ↔ a = b := Nat.mul_left_cancel_iff h
