theorem target.{u, v} {α : Type u} (f : α → α) :
    ∃ g : ULift.{v} α → ULift.{v} α, ∀ x, (g ⟨x⟩).down = f x := ⟨fun x => ⟨f x.down⟩, fun _ => rfl⟩
