theorem target.{v, u} (α : Type u) (β : Type v) (a : α) (b : β) : (a, b).1 = a := rfl
