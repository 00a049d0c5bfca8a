def ok (n : Nat) : Prop := n = 0
theorem target (n : Nat) : ok n := by sorry
