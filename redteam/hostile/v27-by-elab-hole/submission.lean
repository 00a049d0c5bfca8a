macro_rules | `(tactic| exact $t) => `(tactic| exact 0)
theorem target : ∀ n : Nat, n + 1 = n + (by exact n : Nat) := fun n => rfl
