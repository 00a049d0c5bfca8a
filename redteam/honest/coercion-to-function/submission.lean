structure Hom (α β : Type) where
  fn : α → β
instance : CoeFun (Hom α β) fun _ => α → β := ⟨Hom.fn⟩
def Hom.comp (g : Hom β γ) (f : Hom α β) : Hom α γ := ⟨fun x => g (f x)⟩
theorem target (f : Hom α β) (g : Hom β γ) (x : α) : g.comp f x = g (f x) := rfl
