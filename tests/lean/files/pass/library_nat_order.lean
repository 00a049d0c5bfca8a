-- Names of the library: order of natural numbers.
variable (a b c d n m k : Nat)
example : n < m + 1 ↔ n ≤ m := Nat.lt_succ_iff
example : n + 1 ≤ m ↔ n < m := Nat.succ_le_iff
example (h : n < m + 1) : n ≤ m := Nat.le_of_lt_succ h
example (h : n ≤ m) : n < m + 1 := Nat.lt_succ_of_le h
example (h : n < m) : n ≤ m := Nat.le_of_lt h
example (h : n < m) : n ≠ m := Nat.ne_of_lt h
example (h : n ≤ m) (h' : n ≠ m) : n < m := Nat.lt_of_le_of_ne h h'
example (h : n ≤ m) (h' : m < k) : n < k := Nat.lt_of_le_of_lt h h'
example (h : n < m) (h' : m ≤ k) : n < k := Nat.lt_of_lt_of_le h h'
example (h : ¬n ≤ m) : m < n := Nat.lt_of_not_le h
example : ¬n < m ↔ m ≤ n := Nat.not_lt
example (h : a ≤ b) (h' : c ≤ d) : a + c ≤ b + d := Nat.add_le_add h h'
example (h : a < b) (c : Nat) : a + c < b + c := Nat.add_lt_add_right h c
example (h : a ≤ b) (h' : c ≤ d) : a * c ≤ b * d := Nat.mul_le_mul h h'
example : n ≤ n + k := Nat.le_add_right n k
example : n ≤ k + n := Nat.le_add_left n k
example : 0 < n ↔ n ≠ 0 := Nat.pos_iff_ne_zero
example (h : n ≠ 0) : 0 < n := Nat.pos_of_ne_zero h
example : n - m ≤ n := Nat.sub_le n m
example (h : n ≤ m) (k : Nat) : n - k ≤ m - k := Nat.sub_le_sub_right h k
example : n ≤ m ∨ m < n := Nat.lt_or_ge m n |>.symm
example (h : n ≤ 0) : n = 0 := Nat.eq_zero_of_le_zero h
example (h : n ≤ m) (h' : m ≤ n) : n = m := Nat.le_antisymm h h'
