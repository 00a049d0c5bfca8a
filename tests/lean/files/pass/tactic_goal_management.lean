-- Bullets, `case`, `next`, `all_goals`, `any_goals`, `rotate_left`, `swap`-free ordering, `·` nesting.
example (p q r s : Prop) (hp : p) (hq : q) (hr : r) (hs : s) : (p ∧ q) ∧ (r ∧ s) := by
  constructor
  · constructor
    · exact hp
    · exact hq
  · constructor
    all_goals assumption

example (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  case right => exact hq
  case left => exact hp

example (p q : Prop) (hp : p) (hq : q) : q ∧ p := by
  refine ⟨?a, ?b⟩
  rotate_left
  · exact hp
  · exact hq

example : ∃ x : Nat, x = x ∧ 0 ≤ x := by
  refine ⟨?w, ?_, ?_⟩
  case w => exact 3
  all_goals decide

example (n : Nat) : n = n ∧ True := by
  constructor
  any_goals trivial
example (a b : Nat) : a = b → b = a := by
  intro
  next h => exact h.symm
