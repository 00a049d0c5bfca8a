-- Ackermann's function terminates by the lexicographic order.
def ack : Nat → Nat → Nat
  | 0, n => n + 1
  | m + 1, 0 => ack m 1
  | m + 1, n + 1 => ack m (ack (m + 1) n)
termination_by m n => (m, n)

theorem ack_pos (m n : Nat) : 0 < ack m n := by
  fun_induction ack m n with
  | case1 n => exact Nat.succ_pos n
  | case2 m ih => exact ih
  | case3 m n _ ih => exact ih

example : ack 2 2 = 7 := by simp [ack]
