theorem target (α : Type) (a : α) (h : α = α) : cast h a = a := rfl
