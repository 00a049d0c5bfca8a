-- Equality is an equivalence and a congruence; substitution through `▸`.
variable {α β : Type} (a b c : α) (f : α → β)

theorem symm' (h : a = b) : b = a := h.symm
theorem trans' (h₁ : a = b) (h₂ : b = c) : a = c := h₁.trans h₂
theorem congr' (h : a = b) : f a = f b := congrArg f h
theorem subst' (p : α → Prop) (h : a = b) (ha : p a) : p b := h ▸ ha

theorem ne_symm' (h : a ≠ b) : b ≠ a := fun e => h e.symm

theorem cast_self (h : α = α) (x : α) : cast h x = x := rfl

theorem heq_to_eq (h : HEq a b) : a = b := eq_of_heq h

theorem funext' (g h : α → β) (e : ∀ x, g x = h x) : g = h := funext e

theorem propext' (p q : Prop) (h : p ↔ q) : p = q := propext h
