-- A function call is no pattern.
-- expect: error 5:8 contains "Invalid pattern"
def half (n : Nat) : Nat :=
  match n with
  | k + k => k
  | _ => 0
