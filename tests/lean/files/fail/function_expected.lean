-- Too many arguments.
-- expect: error 3:15 contains "Function expected at\n  Nat.succ 1\nbut this term has type\n  Nat"
def x : Nat := Nat.succ 1 2
