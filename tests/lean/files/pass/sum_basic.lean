-- Disjoint unions.
variable {α β γ : Type}

def Sum.swap' : α ⊕ β → β ⊕ α
  | .inl a => .inr a
  | .inr b => .inl b

theorem Sum.swap'_swap' (x : α ⊕ β) : x.swap'.swap' = x := by
  cases x <;> rfl

def elim (f : α → γ) (g : β → γ) : α ⊕ β → γ
  | .inl a => f a
  | .inr b => g b

theorem elim_unique (f : α → γ) (g : β → γ) (h : α ⊕ β → γ) (hl : ∀ a, h (.inl a) = f a)
    (hr : ∀ b, h (.inr b) = g b) : h = elim f g := by
  funext x
  cases x with
  | inl a => exact hl a
  | inr b => exact hr b

theorem inl_ne_inr {a : α} {b : β} : (Sum.inl a : α ⊕ β) ≠ Sum.inr b := nofun
