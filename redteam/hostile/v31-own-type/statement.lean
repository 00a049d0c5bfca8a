inductive Tree where
  | leaf
  | node (l r : Tree)
def Tree.size : Tree → Nat
  | .leaf => 1
  | .node l r => l.size + r.size
theorem target (t : Tree) : t.size = 1 := by sorry
