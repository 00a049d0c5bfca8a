-- Function combinators and what `simp` knows of them.
variable {α β γ : Type} (f : β → γ) (g : α → β) (a : α)
example : (f ∘ g) a = f (g a) := by simp
example : (f ∘ id) = f := by simp
example : (id ∘ f) = f := by simp
example : Function.const β a = fun _ => a := rfl
example : (fun x => f (g x)) = f ∘ g := rfl
example : Function.comp f g a = f (g a) := Function.comp_apply
example (h : f = fun _ => f (g a)) (b c : β) : f b = f c := by
  rw [h]
example : id a = a := id_eq a
example (g₁ g₂ : α → β) : g₁ = g₂ ↔ ∀ x, g₁ x = g₂ x := funext_iff
example (g₁ g₂ : α → β) (h : g₁ = g₂) : g₁ a = g₂ a := congrFun h a
