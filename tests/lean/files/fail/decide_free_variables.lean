-- `decide` needs a closed proposition.
-- expect: error 3:38 contains "Expected type must not contain free variables\n  n + 0 = n"
theorem t (n : Nat) : n + 0 = n := by decide
