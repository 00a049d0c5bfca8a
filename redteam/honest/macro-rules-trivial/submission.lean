macro_rules | `(tactic| trivial) => `(tactic| exact Nat.le_add_right _ _)
theorem target (n : Nat) : n ≤ n + 3 := by trivial
