-- A diamond: the shared ancestor is there once.
class HasZero (α : Type) where
  zero : α

class AddMonoid' (α : Type) extends HasZero α where
  add : α → α → α

class MulMonoid' (α : Type) extends HasZero α where
  mul : α → α → α

class Semiring' (α : Type) extends AddMonoid' α, MulMonoid' α where
  zero_mul : ∀ a : α, mul HasZero.zero a = HasZero.zero

instance : Semiring' Nat where
  zero := 0
  add := Nat.add
  mul := Nat.mul
  zero_mul := Nat.zero_mul

example {α : Type} [Semiring' α] :
    (AddMonoid'.toHasZero : HasZero α).zero = (MulMonoid'.toHasZero : HasZero α).zero := rfl
