-- Nonempty, Inhabited and Subsingleton.
instance : Inhabited (Nat → Bool) := ⟨fun _ => true⟩

example : Nonempty Nat := ⟨0⟩
example {α β : Type} [Nonempty α] [Nonempty β] : Nonempty (α × β) :=
  match ‹Nonempty α›, ‹Nonempty β› with
  | ⟨a⟩, ⟨b⟩ => ⟨(a, b)⟩

example (p : Prop) (h₁ h₂ : p) : h₁ = h₂ := rfl
example : Subsingleton Unit := inferInstance
example (p : Prop) : Subsingleton p := inferInstance
example {α : Type} [Subsingleton α] (a b : α) : a = b := Subsingleton.elim a b
example {p : Prop} (d₁ d₂ : Decidable p) : d₁ = d₂ := Subsingleton.elim d₁ d₂

theorem inhabited_to_exists {α : Type} [Inhabited α] (p : α → Prop) (h : ∀ a, p a) : ∃ a, p a :=
  ⟨default, h default⟩
