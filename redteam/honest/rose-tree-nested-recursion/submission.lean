inductive Rose (α : Type) where
  | node (value : α) (children : List (Rose α))
mutual
def Rose.size : Rose α → Nat
  | .node _ ts => sizes ts + 1
def sizes : List (Rose α) → Nat
  | [] => 0
  | t :: ts => t.size + sizes ts
end
theorem target (t : Rose α) : 0 < t.size := by
  cases t
  rw [Rose.size]
  exact Nat.succ_pos _
