-- Syntax that was declared but never given a meaning.
-- expect: error 5:15 contains "has not been implemented"
syntax "mystery! " term : term

def x : Nat := mystery! 3
