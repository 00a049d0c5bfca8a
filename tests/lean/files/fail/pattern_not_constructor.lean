-- A function that is not a constructor cannot be a pattern.
-- expect: error 7:4 contains "Invalid pattern"
def double (k : Nat) : Nat := k + k

def half (n : Nat) : Nat :=
  match n with
  | double k => k
  | _ => 0
