import Shelf.Lists

/-! A queue as two lists: the front, and the back in reverse. -/

namespace Shelf

structure Queue where
  front : List Nat
  back : List Nat

namespace Queue

def empty : Queue := ⟨[], []⟩

def content (q : Queue) : List Nat := q.front ++ rev q.back

def push (q : Queue) (n : Nat) : Queue := ⟨q.front, n :: q.back⟩

def pop (q : Queue) : Option (Nat × Queue) :=
  match q.front with
  | x :: xs => some (x, ⟨xs, q.back⟩)
  | [] =>
    match revOnto q.back [] with
    | x :: xs => some (x, ⟨xs, []⟩)
    | [] => none

def pushAll (q : Queue) : List Nat → Queue
  | [] => q
  | x :: xs => (q.push x).pushAll xs

def fromList (xs : List Nat) : Queue := empty.pushAll xs

theorem content_push (q : Queue) (n : Nat) : (q.push n).content = q.content ++ [n] := by
  sorry

theorem content_pushAll (q : Queue) (xs : List Nat) : (q.pushAll xs).content = q.content ++ xs := by
  sorry

theorem pop_content (q r : Queue) (n : Nat) (h : q.pop = some (n, r)) : q.content = n :: r.content := by
  sorry

end Queue

end Shelf
