-- A string literal that never ends.
-- expect: error 3:18 contains "unterminated string literal"
def s : String := "never closed
