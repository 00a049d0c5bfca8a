-- `private` and `protected` names.
namespace Stack

private def hidden : Nat := 4

protected def push (n : Nat) (s : List Nat) : List Nat := n :: s

def size (s : List Nat) : Nat := s.length + hidden - hidden

example : Stack.push 1 [] = [1] := rfl

end Stack

open Stack

def push (n : Nat) : Nat := n + 1

example : push 3 = 4 := rfl
example : Stack.push 3 [] = [3] := rfl
example : size [1, 2] = 2 := rfl
