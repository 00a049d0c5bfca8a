section
variable (α : Type) (p q : α → Prop) (a : α)
variable (h : p a → q a)
include h
theorem target : p a → ∃ x, q x := fun hp => ⟨a, h hp⟩
end
