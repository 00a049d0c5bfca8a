-- Laws of the semiring of natural numbers under their library names.
example (a b c : Nat) : a * (b + c) = a * b + a * c := Nat.mul_add a b c
example (a b c : Nat) : (a + b) * c = a * c + b * c := Nat.add_mul a b c
example (a b c : Nat) : a * b * c = a * (b * c) := Nat.mul_assoc a b c
example (a b : Nat) : a * b = b * a := Nat.mul_comm a b
example (a : Nat) : a * 1 = a := Nat.mul_one a
example (a : Nat) : 0 * a = 0 := Nat.zero_mul a
example (a b c : Nat) (h : a + c = b + c) : a = b := Nat.add_right_cancel h
example (a b c : Nat) (h : 0 < a) (e : a * b = a * c) : b = c := Nat.eq_of_mul_eq_mul_left h e
example (a b : Nat) : a + 1 + b = a + b + 1 := by rw [Nat.add_right_comm]
example (a b c d : Nat) : (a + b) + (c + d) = (a + c) + (b + d) := by ac_rfl

theorem square_sum (a b : Nat) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b := by
  rw [Nat.mul_add, Nat.add_mul, Nat.add_mul, Nat.mul_comm b a]
  omega
