def odds : Nat → Nat
  | 0 => 0
  | n + 1 => odds n + (2 * n + 1)
theorem target (n : Nat) : odds n = n * n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [odds, ih, Nat.add_mul, Nat.mul_add, Nat.mul_one, Nat.one_mul]
    omega
