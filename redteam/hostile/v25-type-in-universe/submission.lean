theorem target (α : Prop) (a b : α) : a = b := rfl
