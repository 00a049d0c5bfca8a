-- Mathlib is not there.
-- expect: error 3:0 contains "unknown module prefix 'Mathlib'"
import Mathlib.Tactic.Ring

example (a b : Nat) : a + b = b + a := by ring
