-- Imports come first.
-- expect: error 4:0 contains "invalid 'import' command, it must be used in the beginning of the file"
def x : Nat := 1
import Init
