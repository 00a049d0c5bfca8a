-- No argument gets smaller: Lean says why structural recursion was not possible.
-- expect: error 3:4 contains "failed to infer structural recursion:\nCannot use parameter #1:\n  failed to eliminate recursive application\n    spin (x :: xs)"
def spin : List Nat → Nat
  | [] => 0
  | x :: xs => spin (x :: xs)
