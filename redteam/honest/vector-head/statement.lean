inductive Vec (α : Type) : Nat → Type
  | nil : Vec α 0
  | cons : α → Vec α n → Vec α (n + 1)
def Vec.head : Vec α (n + 1) → α
  | cons a _ => a
def Vec.tail : Vec α (n + 1) → Vec α n
  | cons _ v => v
theorem target (v : Vec α (n + 1)) : v = .cons v.head v.tail := by sorry
