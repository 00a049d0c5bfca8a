-- Powers: laws and evaluation.
example (a : Nat) : a ^ 0 = 1 := Nat.pow_zero a
example (a n : Nat) : a ^ (n + 1) = a ^ n * a := by rw [Nat.pow_succ]

theorem pow_add' (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => rw [Nat.add_zero, Nat.pow_zero, Nat.mul_one]
  | succ n ih => rw [← Nat.add_assoc, Nat.pow_succ, ih, Nat.pow_succ, Nat.mul_assoc]

theorem two_pow_pos (n : Nat) : 0 < 2 ^ n := pos n
where
  pos (n : Nat) : 0 < 2 ^ n := by
    induction n with
    | zero => decide
    | succ n ih => rw [Nat.pow_succ]; omega

example : 2 ^ 64 = 18446744073709551616 := by decide
example : 3 ^ 5 = 243 := rfl
