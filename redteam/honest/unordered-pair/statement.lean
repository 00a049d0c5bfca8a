inductive Swap {α : Type u} : α × α → α × α → Prop
  | swap (a b) : Swap (a, b) (b, a)
def UPair (α : Type u) := Quot (@Swap α)
def UPair.mk (a b : α) : UPair α := Quot.mk _ (a, b)
theorem target (a b : α) : UPair.mk a b = UPair.mk b a := by sorry
