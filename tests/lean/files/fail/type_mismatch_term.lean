-- A term of the wrong type.
-- expect: error 3:18 is "Type mismatch\n  \"five\"\nhas type\n  String\nbut is expected to have type\n  Nat"
def five : Nat := "five"
