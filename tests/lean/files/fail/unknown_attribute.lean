-- An attribute that does not exist.
-- expect: error 3:2 contains "Unknown attribute `[simpp]`"
@[simpp] theorem t (n : Nat) : n + 0 = n := rfl
