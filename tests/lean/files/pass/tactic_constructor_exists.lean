-- `constructor`, `exists`, `left`, `right`.
example (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · exact hq

example : ∃ n : Nat, n * n = 49 := by exists 7

example : ∃ m n : Nat, m < n ∧ n < 3 := by
  exists 0, 1

example (p q : Prop) (hq : q) : p ∨ q := by
  right
  exact hq

example (p q : Prop) (h : p ↔ q) : q ↔ p := by
  constructor
  · exact h.mpr
  · exact h.mp

inductive Even : Nat → Prop where
  | zero : Even 0
  | step (n : Nat) (h : Even n) : Even (n + 2)

example : Even 4 := by
  constructor
  constructor
  constructor
