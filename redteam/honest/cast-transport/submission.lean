theorem target {α β : Type} (h : α = β) (x : α) : cast h.symm (cast h x) = x := by
  cases h; rfl
