def a : Nat := 1
def b : Nat := 2
theorem target : a + b = 3 := by sorry
