inductive Tr (α : Type) where | leaf (a : α) | node (l r : Tr α)
def Tr.bind : Tr α → (α → Tr β) → Tr β
  | leaf a, f => f a
  | node l r, f => node (l.bind f) (r.bind f)
instance : Monad Tr where
  pure := Tr.leaf
  bind := Tr.bind
theorem target (t : Tr α) : (do let a ← t; Tr.leaf a) = t := by sorry
