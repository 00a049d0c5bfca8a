def ack : Nat → Nat → Nat
  | 0, n => n + 1
  | m + 1, 0 => ack m 1
  | m + 1, n + 1 => ack m (ack (m + 1) n)
termination_by m n => (m, n)
theorem target (m n : Nat) : n < ack m n := by
  induction m generalizing n with
  | zero => simp [ack]
  | succ m ihm =>
    induction n with
    | zero => rw [ack]; exact Nat.lt_trans Nat.zero_lt_one (ihm 1)
    | succ n ihn => rw [ack]; exact Nat.lt_of_le_of_lt ihn (ihm _)
