-- A protected name needs its namespace even where that is open.
-- expect: error 9:22 contains "Unknown identifier `push`"
namespace Stack
protected def push (n : Nat) (s : List Nat) : List Nat := n :: s
end Stack

open Stack

example : List Nat := push 1 []
