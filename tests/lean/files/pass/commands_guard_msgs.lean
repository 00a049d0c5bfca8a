-- #guard_msgs compares the output of a command with a doc comment.
/-- info: 4 -/
#guard_msgs in
#eval 2 + 2

/--
error: Type mismatch
  true
has type
  Bool
but is expected to have type
  Nat
-/
#guard_msgs in
example : Nat := true

