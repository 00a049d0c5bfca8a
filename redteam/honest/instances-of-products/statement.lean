class HasSize (α : Type u) where
  size : α → Nat
export HasSize (size)
instance : HasSize Nat := ⟨id⟩
instance [HasSize α] [HasSize β] : HasSize (α × β) := ⟨fun p => size p.1 + size p.2⟩
theorem target (p : Nat × Nat × Nat) : size p = p.1 + p.2.1 + p.2.2 := by sorry
