-- `<;>`, `first`, `try`, `repeat`, `iterate`, `skip`, `done`, `focus`.
example (a b : Bool) : (a && b) = (b && a) := by
  cases a <;> cases b <;> rfl

example (p q r : Prop) (hr : r) : p ∨ q ∨ r := by
  repeat (first | exact Or.inl ‹_› | assumption | apply Or.inr)

example (n : Nat) (h : n < 3) : n = 0 ∨ n = 1 ∨ n = 2 := by
  first
  | rfl
  | exact Or.inl rfl
  | omega

example (p : Prop) (hp : p) : p ∧ p ∧ p := by
  try constructor
  all_goals try constructor
  all_goals try assumption

example : ∃ n : Nat, n > 2 := by
  exists 0 + 3

example (p q : Prop) (hp : p) : q → p := by
  focus
    intro _
    skip
    exact hp
  done
