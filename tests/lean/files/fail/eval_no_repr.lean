-- A function cannot be printed.
-- expect: error 3:0 contains "could not synthesize a `Repr` or `ToString` instance for type\n  Nat → Nat"
#eval fun n : Nat => n + 1
