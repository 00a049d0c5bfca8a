-- Lifting between universes.
universe u v

def up {α : Type u} (a : α) : ULift.{v} α := ⟨a⟩

theorem down_up {α : Type u} (a : α) : (up.{u, v} a).down = a := rfl

example : Type 1 := ULift.{1} Nat
example (p : Prop) (h : p) : PLift p := ⟨h⟩
example (p : Prop) (h : PLift p) : p := h.down

def constFamily.{w} (α : Type) : Type w := ULift.{w} α

example : constFamily.{2} Bool := ⟨true⟩
