-- A private name of a namespace cannot be reached by a guess of its public name after `hiding`.
-- expect: error 7:15 contains "Unknown identifier `hidden`"
namespace A
private def hidden : Nat := 1
end A

def x : Nat := hidden
