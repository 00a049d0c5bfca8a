-- Alternatives with different numbers of patterns.
-- expect: error 5:4 contains "pattern"
def f : Nat → Nat → Nat
  | 0, m => m
  | n + 1 => n
