-- Mutually inductive trees and forests with mutual functions.
mutual
  inductive Tree where
    | node (label : Nat) (f : Forest)
  inductive Forest where
    | nil
    | cons (t : Tree) (f : Forest)
end

mutual
  def Tree.size : Tree → Nat
    | .node _ f => f.size + 1
  def Forest.size : Forest → Nat
    | .nil => 0
    | .cons t f => t.size + f.size
end

theorem Tree.size_pos : (t : Tree) → 0 < t.size
  | .node _ f => by simp [Tree.size]

example : (Tree.node 1 (.cons (.node 2 .nil) .nil)).size = 2 := rfl
