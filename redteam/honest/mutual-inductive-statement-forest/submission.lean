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
mutual
theorem Tree.count_pos : (t : Tree α) → 0 < t.count
  | .node _ _ => by rw [Tree.count]; exact Nat.succ_pos _
theorem Forest.count_le (t : Tree α) : (f : Forest α) → t.count ≤ (Forest.cons t f).count
  | f => by rw [Forest.count]; exact Nat.le_add_right ..
end
theorem target (t : Tree α) (f : Forest α) : 0 < (Forest.cons t f).count := 
  Nat.lt_of_lt_of_le t.count_pos (Forest.count_le t f)
