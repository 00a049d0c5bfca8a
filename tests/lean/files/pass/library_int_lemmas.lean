-- Names of the library: integers.
variable (a b c d : Int)
example : a + b = b + a := Int.add_comm a b
example : a + b + c = a + (b + c) := Int.add_assoc a b c
example : a * (b + c) = a * b + a * c := Int.mul_add a b c
example : a + -a = 0 := Int.add_right_neg a
example : a - a = 0 := Int.sub_self a
example : -(a * b) = -a * b := Int.neg_mul_eq_neg_mul a b
example : a * b = 0 ↔ a = 0 ∨ b = 0 := Int.mul_eq_zero
example (h : a ≤ b) (h' : b < c) : a < c := Int.lt_of_le_of_lt h h'
example (h : a < b) : a + 1 ≤ b := h
example : a ≤ b ↔ a < b + 1 := Int.lt_add_one_iff.symm
example : ¬a ≤ b ↔ b < a := Int.not_le
example (h : a ≤ b) (c : Int) : a + c ≤ b + c := Int.add_le_add_right h c
example (h : 0 ≤ a) (h' : 0 ≤ b) : 0 ≤ a * b := Int.mul_nonneg h h'
example (h : 0 < a) (h' : 0 < b) : 0 < a * b := Int.mul_pos h h'
example (h : 0 ≤ a) : (a.toNat : Int) = a := Int.toNat_of_nonneg h
example (n : Nat) : (n : Int) = 0 ↔ n = 0 := Int.natCast_eq_zero
