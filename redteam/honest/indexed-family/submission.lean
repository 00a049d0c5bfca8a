inductive Vec (α : Type) : Nat → Type where
  | nil : Vec α 0
  | cons {n} (a : α) (v : Vec α n) : Vec α (n + 1)
def Vec.head {α : Type} {n : Nat} : Vec α (n + 1) → α
  | .cons a _ => a
theorem target (a : Nat) (v : Vec Nat 3) : (Vec.cons a v).head = a := rfl
