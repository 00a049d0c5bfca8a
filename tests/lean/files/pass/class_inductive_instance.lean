-- Instance search recurses through types to compute a size.
class Finite' (α : Type) where
  size : Nat

instance : Finite' Unit := ⟨1⟩
instance : Finite' Bool := ⟨2⟩
instance {α β : Type} [Finite' α] [Finite' β] : Finite' (α × β) := ⟨Finite'.size α * Finite'.size β⟩
instance {α β : Type} [Finite' α] [Finite' β] : Finite' (α ⊕ β) := ⟨Finite'.size α + Finite'.size β⟩
instance {α : Type} [Finite' α] : Finite' (Option α) := ⟨Finite'.size α + 1⟩

example : Finite'.size (Option (Bool × Bool) ⊕ Unit) = 6 := rfl
