-- User definitions named like library or native functions are the user's.
-- expect: information 6:0 is "false"
-- expect: information 10:0 is "[1, 2, 9]"
def flip (b : Bool) : Bool := !b

#eval flip true

namespace Mine
def List.append' (xs : List Nat) : List Nat := xs ++ [9]
#eval List.append' [1, 2]
end Mine
