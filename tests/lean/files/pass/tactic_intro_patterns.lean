-- `intro` and `intros`, with patterns, types and anonymous binders.
example (p q : Prop) : p → q → p := by
  intro hp _
  exact hp

example (p q r : Prop) : p ∧ q ∧ r → r := by
  intro ⟨_, _, hr⟩
  exact hr

example (p : Nat → Prop) : (∀ n, p n) → p 3 := by
  intros h
  exact h 3

example : ∀ a b : Nat, a = b → b = a := by
  intros a b h
  exact h.symm

example : ∀ n : Nat, n = n := by
  intro (n : Nat)
  rfl

example : let x := 5; x + 1 = 6 := by
  intro x
  rfl
