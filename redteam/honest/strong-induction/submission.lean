theorem target (P : Nat → Prop) (h0 : P 0) (h : ∀ n, P (n / 2) → P n) (n : Nat) : P n := by
  induction n using Nat.strongRecOn with
  | ind n ih =>
    by_cases hn : n = 0
    · exact hn ▸ h0
    · exact h n (ih (n / 2) (by omega))
