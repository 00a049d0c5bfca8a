universe u v
def dup (α : Type u) : Type u := α × α
theorem target (α : Type v) (β : Type u) : Nonempty (dup (dup (dup (dup (dup (dup (dup (dup α)))))))) → Nonempty (dup (dup (dup (dup (dup (dup (dup (dup α)))))))) := fun h => h
