inductive L (α : Type u) | nil | cons (x : α) (xs : L α)
def L.app : L α → L α → L α
  | .nil, ys => ys
  | .cons x xs, ys => .cons x (xs.app ys)
instance : Append (L α) := ⟨L.app⟩
theorem target (a b c : L α) : a ++ b ++ c = a ++ (b ++ c) := by sorry
