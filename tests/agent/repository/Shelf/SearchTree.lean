import Shelf.Trees

/-! Search trees over numbers. -/

namespace Shelf.Tree

def add (t : Tree Nat) (n : Nat) : Tree Nat :=
  match t with
  | leaf => node leaf n leaf
  | node l a r => if n < a then node (l.add n) a r else if a < n then node l a (r.add n) else node l a r

def has (t : Tree Nat) (n : Nat) : Bool :=
  match t with
  | leaf => false
  | node l a r => if n < a then l.has n else if a < n then r.has n else true

theorem has_add (t : Tree Nat) (n : Nat) : (t.add n).has n = true := by
  sorry

theorem has_add_other (t : Tree Nat) (m n : Nat) (h : m ≠ n) : (t.add m).has n = t.has n := by
  sorry

theorem size_add (t : Tree Nat) (n : Nat) : (t.add n).size ≤ t.size + 1 := by
  sorry

end Shelf.Tree
