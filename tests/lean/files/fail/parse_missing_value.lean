-- A definition without a body, and a stray token.
-- expect: error 3:14 contains "unexpected token 'theorem'; expected term"
def f : Nat :=
theorem t : 1 = 1 := rfl
