axiom Lean.ofReduceBool (a b : Bool) (h : true = b) : a = b
theorem target (n : Nat) : n + 1 = n := by
  have h : false = true := Lean.ofReduceBool false true rfl
  cases h
