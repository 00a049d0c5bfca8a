-- `funext` and `ext` with structures, functions, and registered lemmas.
example (f g : Nat → Nat → Nat) (h : ∀ x y, f x y = g x y) : f = g := by
  funext x y
  exact h x y

@[ext] structure Span where
  start : Nat
  stop : Nat

example (s t : Span) (h₁ : s.start = t.start) (h₂ : s.stop = t.stop) : s = t := by
  ext
  · exact h₁
  · exact h₂

def Set (α : Type) := α → Prop

@[ext] theorem Set.ext {α : Type} {s t : Set α} (h : ∀ x, s x ↔ t x) : s = t :=
  funext fun x => propext (h x)

example {α : Type} (s t : Set α) : (fun x => s x ∧ t x : Set α) = (fun x => t x ∧ s x : Set α) := by
  ext x
  exact and_comm
