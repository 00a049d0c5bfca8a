-- `termination_by` on a function that is not recursive is pointed out; the error is elsewhere.
-- expect: warning 5:0 contains "unused `termination_by`"
-- expect: error 7:16 contains "Type mismatch"
def f (n : Nat) : Nat := n + 1
termination_by n

def g : Bool := f 3
