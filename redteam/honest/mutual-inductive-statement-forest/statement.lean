mutual
inductive Tree (α : Type) where
  | node (a : α) (f : Forest α)
inductive Forest (α : Type) where
  | nil
  | cons (t : Tree α) (f : Forest α)
end
mutual
def Tree.count : Tree α → Nat
  | .node _ f => f.count + 1
def Forest.count : Forest α → Nat
  | .nil => 0
  | .cons t f => t.count + f.count
end
theorem target (t : Tree α) (f : Forest α) : 0 < (Forest.cons t f).count := by sorry
