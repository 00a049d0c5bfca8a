-- Two opened namespaces give a name two meanings that both fit.
-- expect: error 11:15 contains "Ambiguous"
namespace A
def val : Nat := 1
end A
namespace B
def val : Nat := 2
end B
open A B

def x : Nat := val
