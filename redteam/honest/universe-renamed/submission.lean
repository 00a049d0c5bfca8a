theorem target.{w, z} (α : Type w) (β : Type z) (p : α × β) : (p.1, p.2) = p := rfl
