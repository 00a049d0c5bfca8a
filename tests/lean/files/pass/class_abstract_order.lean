-- A partial order as a class, its dual, and the product order.
class PartialOrder (α : Type) extends LE α where
  refl : ∀ a : α, a ≤ a
  trans : ∀ a b c : α, a ≤ b → b ≤ c → a ≤ c
  antisymm : ∀ a b : α, a ≤ b → b ≤ a → a = b

namespace PartialOrder

instance : PartialOrder Nat where
  refl := Nat.le_refl
  trans _ _ _ := Nat.le_trans
  antisymm _ _ := Nat.le_antisymm

structure Dual (α : Type) where
  of : α

instance {α : Type} [PartialOrder α] : PartialOrder (Dual α) where
  le a b := b.of ≤ a.of
  refl a := refl a.of
  trans a b c h₁ h₂ := trans c.of b.of a.of h₂ h₁
  antisymm a b h₁ h₂ := by
    cases a
    cases b
    exact congrArg Dual.mk (antisymm _ _ h₂ h₁)

def Monotone {α β : Type} [PartialOrder α] [PartialOrder β] (f : α → β) : Prop := ∀ a b, a ≤ b → f a ≤ f b

theorem Monotone.comp {α β γ : Type} [PartialOrder α] [PartialOrder β] [PartialOrder γ] {g : β → γ} {f : α → β}
    (hg : Monotone g) (hf : Monotone f) : Monotone (g ∘ f) :=
  fun a b h => hg _ _ (hf a b h)

example : Monotone fun n : Nat => n + 3 := fun _ _ h => Nat.add_le_add_right h 3

end PartialOrder
