-- Pairs: projections, extensionality, patterns, currying.
variable {α β γ : Type}

def swap (p : α × β) : β × α := (p.2, p.1)

theorem swap_swap (p : α × β) : swap (swap p) = p := rfl

theorem prod_ext {p q : α × β} (h₁ : p.1 = q.1) (h₂ : p.2 = q.2) : p = q := by
  cases p
  cases q
  simp_all

def curry' (f : α × β → γ) : α → β → γ := fun a b => f (a, b)
def uncurry' (f : α → β → γ) : α × β → γ := fun (a, b) => f a b

theorem curry_uncurry (f : α → β → γ) : curry' (uncurry' f) = f := rfl

example : (1, 'a', true).2.1 = 'a' := rfl
example (a b c d : Nat) (h : (a, b) = (c, d)) : a = c ∧ b = d := by simpa using h
