-- A method that the type does not have.
-- expect: error 3:34 contains "Invalid field `lenght`: The environment does not contain `List.lenght`"
def f (xs : List Nat) : Nat := xs.lenght
