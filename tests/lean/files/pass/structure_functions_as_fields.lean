-- A structure of functions with laws: equivalences between types compose and invert.
structure Equiv (α β : Type) where
  toFun : α → β
  invFun : β → α
  left_inv : ∀ x, invFun (toFun x) = x
  right_inv : ∀ y, toFun (invFun y) = y

infix:25 " ≃ " => Equiv

namespace Equiv

variable {α β γ : Type}

def refl (α : Type) : α ≃ α := ⟨id, id, fun _ => rfl, fun _ => rfl⟩
def symm (e : α ≃ β) : β ≃ α := ⟨e.invFun, e.toFun, e.right_inv, e.left_inv⟩

def trans (e : α ≃ β) (f : β ≃ γ) : α ≃ γ where
  toFun := f.toFun ∘ e.toFun
  invFun := e.invFun ∘ f.invFun
  left_inv x := by simp [f.left_inv, e.left_inv]
  right_inv z := by simp [f.right_inv, e.right_inv]

def boolUnitSum : Bool ≃ Unit ⊕ Unit where
  toFun b := if b then .inl () else .inr ()
  invFun
    | .inl _ => true
    | .inr _ => false
  left_inv b := by cases b <;> rfl
  right_inv := by rintro (⟨⟩ | ⟨⟩) <;> rfl

end Equiv
