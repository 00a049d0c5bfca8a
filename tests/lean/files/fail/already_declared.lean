-- Declaring a name twice.
-- expect: error 4:4 is "`twice` has already been declared"
def twice (n : Nat) : Nat := n + n
def twice (n : Nat) : Nat := 2 * n
