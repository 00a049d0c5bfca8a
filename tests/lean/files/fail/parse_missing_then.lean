-- An `if` without `then`.
-- expect: error 3:33 contains "unexpected token 'else'; expected 'then'"
def f (n : Nat) : Nat := if n = 0 else 1
