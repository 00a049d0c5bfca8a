-- Closing goals from impossible hypotheses.
example (p q : Prop) (hp : p) (hn : ¬p) : q := by contradiction
example (h : (0 : Nat) = 1) : False := by contradiction
example (h : none = some 3) : 2 + 2 = 5 := by contradiction
example (p : Prop) (h : False) : p := by
  exfalso
  exact h
example (a : Nat) (h : a < 0) : a = 100 := by
  exfalso
  exact Nat.not_lt_zero a h
example (p q : Prop) (hp : p) (hn : ¬p) : q := absurd hp hn
example (x : Nat) (h : x ≠ x) : x = 0 := by
  exact (h rfl).elim
example (p : Prop) (h : ¬True) : p := by
  simp at h
