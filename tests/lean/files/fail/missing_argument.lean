-- Too few arguments.
-- expect: error 3:15 is "Type mismatch\n  Nat.add 1\nhas type\n  Nat → Nat\nbut is expected to have type\n  Nat"
def x : Nat := Nat.add 1
