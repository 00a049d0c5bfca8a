inductive Finite : Nat → Type
  | zero : Finite (n + 1)
  | succ : Finite n → Finite (n + 1)
theorem target (p : Finite 0 → Prop) : ∀ i, p i := by sorry
