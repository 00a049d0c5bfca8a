-- Unit, Empty, True and False.
theorem unit_unique (u v : Unit) : u = v := rfl
def absurd' {α : Type} (e : Empty) : α := nomatch e
theorem true_unique (h₁ h₂ : True) : h₁ = h₂ := rfl
theorem from_false {p : Prop} (h : False) : p := h.elim
theorem not_false' : ¬False := id
theorem false_ne_true' : False ≠ True := by
  intro h
  rw [h]
  trivial
def unitToNat : Unit → Nat
  | () => 0
theorem empty_functions {α : Type} (f g : Empty → α) : f = g := by
  funext e
  cases e
