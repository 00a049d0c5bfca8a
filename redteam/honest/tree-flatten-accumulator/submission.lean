inductive Tree (α : Type) where
  | leaf | node (l : Tree α) (x : α) (r : Tree α)
def Tree.toList : Tree α → List α
  | .leaf => []
  | .node l x r => l.toList ++ x :: r.toList
def Tree.toListAcc : Tree α → List α → List α
  | .leaf, acc => acc
  | .node l x r, acc => l.toListAcc (x :: r.toListAcc acc)
theorem Tree.toListAcc_eq (t : Tree α) : ∀ acc, t.toListAcc acc = t.toList ++ acc := by
  induction t with
  | leaf => intro acc; rfl
  | node l x r ihl ihr => intro acc; simp [toListAcc, toList, ihl, ihr]
theorem target (t : Tree α) : t.toListAcc [] = t.toList := by
  rw [Tree.toListAcc_eq, List.append_nil]
