prelude
axiom Nat : Type
inductive Eq : {α : Type} → α → α → Prop where
  | refl : {α : Type} → (a b : α) → Eq a b
theorem target (a b : Nat) : Eq a b := Eq.refl a b
