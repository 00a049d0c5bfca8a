structure Easy (n : Nat) : Prop where
  le : n ≤ n
macro_rules | `(tactic| trivial) => `(tactic| exact ⟨Nat.le_refl _⟩)
theorem target : Easy 3 := by trivial
