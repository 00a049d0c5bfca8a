inductive Rose (α : Type u) where
  | node : α → List (Rose α) → Rose α
mutual
def Rose.map (f : α → β) : Rose α → Rose β
  | .node a ts => .node (f a) (mapAll f ts)
def mapAll (f : α → β) : List (Rose α) → List (Rose β)
  | [] => []
  | t :: ts => t.map f :: mapAll f ts
end
mutual
theorem Rose.map_id : ∀ t : Rose α, t.map id = t
  | .node a ts => by rw [Rose.map, mapAll_id]; rfl
theorem mapAll_id : ∀ ts : List (Rose α), mapAll id ts = ts
  | [] => by rw [mapAll]
  | t :: ts => by rw [mapAll, Rose.map_id, mapAll_id]
end
theorem target (t : Rose α) : t.map id = t := t.map_id
