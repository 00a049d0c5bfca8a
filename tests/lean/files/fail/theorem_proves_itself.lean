-- A proof that calls itself without getting smaller.
-- expect: error 3:8 contains "fail to show termination for\n  impossible\nwith errors"
theorem impossible (n : Nat) : n < n := impossible n
