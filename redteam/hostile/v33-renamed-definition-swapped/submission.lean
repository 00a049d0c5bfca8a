def hi : Nat := 1
def lo : Nat := 2
theorem target : hi = 1 := rfl
