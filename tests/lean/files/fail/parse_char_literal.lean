-- A character literal holds one character.
-- expect: error 3:19 contains "missing end of character literal"
def c : Char := 'ab'
