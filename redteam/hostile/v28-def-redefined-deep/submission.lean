def base : Nat := 0
def middle : Nat := base * 2
def top : Nat := middle + 1
theorem target : top = 1 := rfl
