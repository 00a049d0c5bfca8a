-- A statement without `:=`.
-- expect: error 3:27 contains "unexpected token 'theorem'; expected ':=', 'where' or '|'"
theorem t (n : Nat) : n = n

theorem u : 1 = 1 := rfl
