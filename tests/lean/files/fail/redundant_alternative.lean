-- An alternative that can never be reached.
-- expect: error 5:4 contains "Redundant alternative: Any expression matching\n  0\nwill match one of the preceding alternatives"
def f : Nat → Nat
  | n => n
  | 0 => 1
