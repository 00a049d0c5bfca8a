def one : Nat := 1
def left : Nat := one
theorem target : left = left := rfl
