-- Gauss: the sum of the first n numbers.
def sumUpTo : Nat → Nat
  | 0 => 0
  | n + 1 => sumUpTo n + (n + 1)

theorem two_mul_sumUpTo (n : Nat) : 2 * sumUpTo n = n * (n + 1) := by
  induction n with
  | zero => rfl
  | succ n ih =>
    calc 2 * sumUpTo (n + 1) = 2 * sumUpTo n + 2 * (n + 1) := by rw [sumUpTo, Nat.mul_add]
      _ = n * (n + 1) + 2 * (n + 1) := by rw [ih]
      _ = (n + 2) * (n + 1) := by rw [Nat.add_mul]
      _ = (n + 1) * (n + 2) := Nat.mul_comm ..

example : sumUpTo 100 = 5050 := by decide
