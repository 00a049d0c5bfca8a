def Twice (p : Nat → Prop) : Prop := ∃ a b, a ≠ b ∧ p a ∧ p b
macro "∃₂ " x:ident ", " b:term : term => `(Twice fun $x:ident => $b)
theorem target : ∃₂ n, n < 2 := by sorry
