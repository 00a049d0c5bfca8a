-- Universe polymorphism: explicit levels, max, ULift-free products, Prop-valued families.
universe u v w

def comp {α : Sort u} {β : Sort v} {γ : Sort w} (g : β → γ) (f : α → β) : α → γ := fun x => g (f x)

structure Both.{a, b} (α : Type a) (β : Type b) : Type (max a b) where
  fst : α
  snd : β

def Both.swap {α : Type u} {β : Type v} (p : Both α β) : Both β α := ⟨p.snd, p.fst⟩

inductive Exists'.{l} {α : Sort l} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists' p

theorem Exists'.map {α : Sort u} {p q : α → Prop} (f : ∀ a, p a → q a) : Exists' p → Exists' q
  | ⟨w, h⟩ => ⟨w, f w h⟩

def typeFamily : Nat → Type (u + 1)
  | 0 => Type u
  | n + 1 => Both (Type u) (typeFamily n)

example : Both.{0, 1} Nat Type := ⟨3, Nat⟩
def idd : (α : Sort u) → α → α := fun _ a => a
example : idd.{1} Nat 3 = 3 := rfl
example : idd.{0} True trivial = trivial := rfl
