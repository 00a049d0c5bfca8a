def one : Nat := 1
def two : Nat := 2
def left : Nat := one
def right : Nat := two
theorem target : left = right := by sorry
