-- A keyword as a name.
-- expect: error 3:3 contains "unexpected token 'end'; expected"
def end : Nat := 3
