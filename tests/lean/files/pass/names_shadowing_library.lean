-- User definitions named like parts of Lean that are not imported are the user's, in proofs and when they are run.
-- expect: information 9:0 is "true"
-- expect: information 15:0 is "[1, 2, 9]"
namespace Lean

def isStructure (n : Nat) : Bool := n == 3

example : isStructure 3 = true := rfl
#eval isStructure 3

end Lean

namespace Mine
def List.append (xs : List Nat) : List Nat := xs ++ [9]
#eval List.append [1, 2]
end Mine
