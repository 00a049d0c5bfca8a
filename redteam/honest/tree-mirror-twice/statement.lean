inductive Tree (α : Type u) where
  | leaf : Tree α
  | node : Tree α → α → Tree α → Tree α
namespace Tree
def mirror : Tree α → Tree α
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror
end Tree
theorem target (t : Tree α) : t.mirror.mirror = t := by sorry
