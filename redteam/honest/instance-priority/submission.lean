class Tag (α : Type) where
  tag : Nat
instance (priority := low) anyTag : Tag α := ⟨0⟩
instance natTag : Tag Nat := ⟨1⟩
theorem target : Tag.tag Nat = 1 ∧ Tag.tag Bool = 0 := ⟨rfl, rfl⟩
