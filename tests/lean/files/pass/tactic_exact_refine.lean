-- `exact`, `refine` with named and unnamed holes, `exact?`-free proofs by hand.
example (p q r : Prop) (hp : p) (hq : q) (hr : r) : p ∧ q ∧ r := by
  refine ⟨hp, ?_, ?last⟩
  · exact hq
  case last => exact hr

example (f : Nat → Nat) (h : ∀ x, f x = x) : ∃ y, f y = 7 := by
  refine ⟨7, ?_⟩
  exact h 7

example (p q : Prop) (h : p → q) (hp : p) : q := by
  refine h ?_
  assumption

example (a b : Nat) (h : a = b) : b = a := by exact Eq.symm h
