-- A missing closing parenthesis.
-- expect: error 3:31 is "unexpected token 'def'; expected ')', ',' or ':'"
def f (n : Nat) : Nat := (n + 1
def g : Nat := 3
