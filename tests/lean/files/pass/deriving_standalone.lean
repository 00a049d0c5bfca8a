-- `deriving instance ... for`, parameters and nested types.
-- expect: information 15:0 is "true"
inductive Tree (α : Type) where
  | leaf
  | node (l : Tree α) (x : α) (r : Tree α)

deriving instance DecidableEq, BEq, Hashable for Tree

example : Tree.node .leaf 1 .leaf ≠ Tree.leaf := by decide

inductive Rose (α : Type) where
  | node (x : α) (children : List (Rose α))
  deriving BEq, Inhabited

#eval Rose.node 1 [.node 2 []] == Rose.node 1 [.node 2 []]
