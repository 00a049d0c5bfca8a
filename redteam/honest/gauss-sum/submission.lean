def total : Nat → Nat
  | 0 => 0
  | n + 1 => total n + (n + 1)
theorem target (n : Nat) : 2 * total n = n * (n + 1) := by
  induction n with
  | zero => rfl
  | succ n ih =>
    calc 2 * total (n + 1)
      _ = 2 * total n + 2 * (n + 1) := by rw [total, Nat.mul_add]
      _ = n * (n + 1) + 2 * (n + 1) := by rw [ih]
      _ = (n + 2) * (n + 1) := (Nat.add_mul ..).symm
      _ = (n + 1) * (n + 2) := Nat.mul_comm ..
