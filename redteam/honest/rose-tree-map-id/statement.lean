inductive Rose (α : Type u) where
  | node : α → List (Rose α) → Rose α
mutual
def Rose.map (f : α → β) : Rose α → Rose β
  | .node a ts => .node (f a) (mapAll f ts)
def mapAll (f : α → β) : List (Rose α) → List (Rose β)
  | [] => []
  | t :: ts => t.map f :: mapAll f ts
end
theorem target (t : Rose α) : t.map id = t := by sorry
