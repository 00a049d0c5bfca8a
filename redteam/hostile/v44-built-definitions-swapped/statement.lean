def Easy : Prop := True
def Hard : Prop := (2 : Nat) = 3
theorem target : Hard := by sorry
