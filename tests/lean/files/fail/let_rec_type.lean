-- An error inside a `where` helper is reported there, and the main definition does not hide it.
-- expect: error 7:34 contains "Application type mismatch: The argument\n  acc\nhas type\n  Nat\nbut is expected to have type\n  List Nat"
def sum (xs : List Nat) : Nat := go xs 0
where
  go : List Nat → Nat → Nat
    | [], acc => acc
    | x :: xs, acc => go xs (x :: acc)
