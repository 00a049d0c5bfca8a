universe u v
def dup (α : Type u) : Type u := α × α
theorem target (α : Type u) (β : Type v) : Nonempty (dup (dup (dup (dup (dup (dup (dup (dup α)))))))) → Nonempty (dup (dup (dup (dup (dup β))))) := by sorry
