-- A function applied to an argument of the wrong type.
-- expect: error 6:28 contains "Application type mismatch: The argument\n  true\nhas type\n  Bool\n"
-- expect: error 8:36 contains "but is expected to have type\n  List Nat"
def total (xs : List Nat) : Nat := xs.foldr (· + ·) 0

def wrong : Nat := Nat.succ true

theorem alsoWrong (n : Nat) : total n = n := rfl
