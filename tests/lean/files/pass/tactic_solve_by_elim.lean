-- Small search: `solve_by_elim`, `apply_assumption`, `infer_instance`, `nofun`, `symm`.
example (p q r : Prop) (h₁ : p → q) (h₂ : q → r) (hp : p) : r := by solve_by_elim
example (p q : Prop) (h : p → q) (hp : p) : q := by
  apply_assumption
  exact hp
example : Decidable (3 < 5) := by infer_instance
example : (1 : Nat) ≠ 2 := by nofun
example (a b : Nat) (h : a = b) : b = a := by
  symm
  exact h
example (h : 1 = 2) : False := by nomatch h
