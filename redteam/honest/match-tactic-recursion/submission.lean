theorem go : ∀ m n : Nat, m ≤ n ∨ n ≤ m
  | 0, _ => .inl (Nat.zero_le _)
  | _, 0 => .inr (Nat.zero_le _)
  | m + 1, n + 1 => (go m n).imp Nat.succ_le_succ Nat.succ_le_succ
theorem target (m n : Nat) : m ≤ n ∨ n ≤ m := go m n
