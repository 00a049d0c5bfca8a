def lo : Nat := 1
def hi : Nat := 2
theorem target : hi = 1 := by sorry
