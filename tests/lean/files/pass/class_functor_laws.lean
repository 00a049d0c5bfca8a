-- A binary tree is a lawful functor.
inductive Tree (α : Type) where
  | leaf
  | node (l : Tree α) (x : α) (r : Tree α)

namespace Tree

def map {α β : Type} (f : α → β) : Tree α → Tree β
  | leaf => leaf
  | node l x r => node (l.map f) (f x) (r.map f)

instance : Functor Tree := { map := map }

theorem map_id {α : Type} (t : Tree α) : id <$> t = t := by
  show map id t = t
  induction t with
  | leaf => rfl
  | node l x r ihl ihr => simp [map, ihl, ihr]

theorem map_comp {α β γ : Type} (g : β → γ) (f : α → β) (t : Tree α) : (g ∘ f) <$> t = g <$> f <$> t := by
  show map (g ∘ f) t = map g (map f t)
  induction t with
  | leaf => rfl
  | node l x r ihl ihr => simp [map, ihl, ihr]

end Tree
