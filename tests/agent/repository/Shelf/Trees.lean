import Shelf.Lists

/-! Binary trees with labels at the nodes. -/

namespace Shelf

inductive Tree (α : Type) where
  | leaf
  | node (left : Tree α) (label : α) (right : Tree α)

namespace Tree

def size {α : Type} : Tree α → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size

def mirror {α : Type} : Tree α → Tree α
  | leaf => leaf
  | node l a r => node r.mirror a l.mirror

def flatten {α : Type} : Tree α → List α
  | leaf => []
  | node l a r => l.flatten ++ a :: r.flatten

theorem mirror_mirror {α : Type} (t : Tree α) : t.mirror.mirror = t := by
  sorry

theorem length_flatten {α : Type} (t : Tree α) : t.flatten.length = t.size := by
  sorry

theorem flatten_mirror {α : Type} (t : Tree α) : t.mirror.flatten = rev t.flatten := by
  sorry

end Tree

end Shelf
