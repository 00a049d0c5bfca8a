-- A `partial` function can be run and has an inhabited type, but nothing is proved of it.
-- expect: information 7:0 is "111"
partial def collatzSteps (n : Nat) (acc : Nat := 0) : Nat :=
  if n ≤ 1 then acc
  else collatzSteps (if n % 2 = 0 then n / 2 else 3 * n + 1) (acc + 1)

#eval collatzSteps 27
