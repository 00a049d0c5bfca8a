-- A recursion that does not terminate: Lean says what it tried.
-- expect: error 3:4 contains "fail to show termination for\n  loop\nwith errors"
def loop (n : Nat) : Nat := loop (n + 1)
