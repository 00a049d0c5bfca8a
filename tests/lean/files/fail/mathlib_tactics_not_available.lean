-- Tactics of Mathlib are not part of Lean: each is unknown and leaves its goal open.
-- expect: error 8:75 is "unknown tactic"
-- expect: error 8:71 contains "unsolved goals"
-- expect: error 10:48 is "unknown tactic"
-- expect: error 10:44 contains "unsolved goals"
-- expect: error 13:3 is "unknown tactic"
-- expect: error 12:36 contains "unsolved goals"
example (a b : Nat) : (a + b) * (a + b) = a * a + 2 * a * b + b * b := by ring

example (a b : Int) (h : a < b) : ¬b ≤ a := by linarith

example (p : Prop) (h : ¬¬p) : p := by
  by_contra hn
