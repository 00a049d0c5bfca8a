-- A macro used against its own grammar.
-- expect: error 8:23 contains "unexpected token"
syntax "pair! " term " and " term : term
macro_rules
  | `(pair! $a and $b) => `(($a, $b))

example : (pair! 1 and 2) = (1, 2) := rfl
example : (pair! 1 or 2) = (1, 2) := rfl
