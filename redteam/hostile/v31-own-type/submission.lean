inductive Tree where
  | leaf
def Tree.size : Tree → Nat
  | .leaf => 1
theorem target (t : Tree) : t.size = 1 := by cases t; rfl
