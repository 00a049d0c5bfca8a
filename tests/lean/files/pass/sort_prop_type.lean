-- Definitions that work for propositions and types alike.
universe u

def const' {α : Sort u} (β : Sort v) (a : α) : β → α := fun _ => a

example (p q : Prop) (hp : p) : q → p := const' q hp
example : Nat → Bool := const' Nat true

theorem imp_trans' {α β γ : Sort _} (f : α → β) (g : β → γ) : Nonempty (α → γ) := ⟨fun a => g (f a)⟩

abbrev Rel (α : Type u) := α → α → Prop

def Rel.inv {α : Type u} (r : Rel α) : Rel α := fun a b => r b a

theorem Rel.inv_inv {α : Type u} (r : Rel α) : r.inv.inv = r := rfl

example (α : Type 3) (r : Rel α) : Rel α := r.inv
