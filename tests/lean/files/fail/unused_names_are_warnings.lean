-- An unused variable is a warning; the error is elsewhere.
-- expect: warning 4:13 contains "Variable name `m` is not explicitly referenced"
-- expect: error 6:20 contains "Type mismatch"
def first (n m : Nat) : Nat := n

def wrong : Bool := first 1 2
