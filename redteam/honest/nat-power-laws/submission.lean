theorem target (a m n : Nat) : a ^ (m + n) = a ^ n * a ^ m := by
  induction n with
  | zero => rw [Nat.add_zero, Nat.pow_zero, Nat.one_mul]
  | succ n ih => rw [← Nat.add_assoc, Nat.pow_succ, ih, Nat.pow_succ, Nat.mul_right_comm]
