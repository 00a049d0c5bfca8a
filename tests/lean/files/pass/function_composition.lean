-- Composition, identity, injective and surjective functions.
variable {α β γ : Type}

def Injective (f : α → β) : Prop := ∀ ⦃x y⦄, f x = f y → x = y
def Surjective (f : α → β) : Prop := ∀ y, ∃ x, f x = y

theorem Injective.comp {g : β → γ} {f : α → β} (hg : Injective g) (hf : Injective f) : Injective (g ∘ f) :=
  fun _ _ h => hf (hg h)

theorem Surjective.comp {g : β → γ} {f : α → β} (hg : Surjective g) (hf : Surjective f) : Surjective (g ∘ f) := by
  intro z
  obtain ⟨y, rfl⟩ := hg z
  obtain ⟨x, rfl⟩ := hf y
  exact ⟨x, rfl⟩

theorem leftInverse_injective {f : α → β} {g : β → α} (h : ∀ x, g (f x) = x) : Injective f := by
  intro x y hxy
  rw [← h x, hxy, h]

theorem comp_assoc (h : γ → α) (g : β → γ) (f : α → β) : (h ∘ g) ∘ f = h ∘ (g ∘ f) := rfl

theorem cantor (f : α → (α → Prop)) : ¬Surjective f := by
  intro h
  obtain ⟨a, ha⟩ := h fun x => ¬f x x
  have : f a a ↔ ¬f a a := by
    conv => lhs; rw [ha]
  exact (fun hn : ¬f a a => hn (this.mpr hn)) fun h => this.mp h h
