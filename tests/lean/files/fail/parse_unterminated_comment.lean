-- A block comment that never ends.
-- expect: error 6:0 is "unterminated comment"
def x : Nat := 1

/- this goes on
