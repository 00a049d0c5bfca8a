-- Rule induction on an inductively defined relation.
inductive Star {α : Type} (r : α → α → Prop) : α → α → Prop where
  | refl (a : α) : Star r a a
  | step {a b c : α} (h : r a b) (rest : Star r b c) : Star r a c

namespace Star

variable {α : Type} {r : α → α → Prop}

theorem trans {a b c : α} (h₁ : Star r a b) (h₂ : Star r b c) : Star r a c := by
  induction h₁ with
  | refl => exact h₂
  | step h _ ih => exact step h (ih h₂)

theorem single {a b : α} (h : r a b) : Star r a b := step h (refl b)

theorem mono {s : α → α → Prop} (hrs : ∀ a b, r a b → s a b) {a b : α} (h : Star r a b) : Star s a b := by
  induction h with
  | refl a => exact refl a
  | step h _ ih => exact step (hrs _ _ h) ih

theorem invariant {p : α → Prop} (hp : ∀ a b, r a b → p a → p b) {a b : α} (h : Star r a b) (ha : p a) : p b := by
  induction h with
  | refl => exact ha
  | step h _ ih => exact ih (hp _ _ h ha)

end Star
