-- A misspelt type is an auto-bound implicit; the hint says so.
-- expect: error 3:14 contains "Hint: The identifier `Lst` is unknown, and Lean's `autoImplicit` option causes an unknown identifier to be treated as an implicitly bound variable"
def len (xs : Lst Nat) : Nat := 0
