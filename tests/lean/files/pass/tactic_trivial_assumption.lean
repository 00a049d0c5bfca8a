-- `trivial`, `assumption`, `‹›`, `rfl`, `and_intros`.
example : True := by trivial
example (p : Prop) (_ : p) : p := by assumption
example (p q : Prop) (_ : p) (_ : q) : q ∧ p := ⟨‹q›, ‹p›⟩
example (a : Nat) : a = a := by rfl
example (p : Prop) : p ↔ p := by rfl
example (a : Nat) : a ≤ a := by rfl
example (p q r : Prop) (hp : p) (hq : q) (hr : r) : p ∧ q ∧ r := by
  and_intros
  all_goals assumption
