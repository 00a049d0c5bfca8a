-- Monoids as a class with laws, products of monoids, and a theorem for all of them.
class Monoid (α : Type u) where
  mul : α → α → α
  one : α
  mul_assoc : ∀ a b c, mul (mul a b) c = mul a (mul b c)
  one_mul : ∀ a, mul one a = a
  mul_one : ∀ a, mul a one = a

infixl:70 " ⋆ " => Monoid.mul

instance : Monoid Nat := ⟨(· + ·), 0, Nat.add_assoc, Nat.zero_add, Nat.add_zero⟩

instance {α : Type u} {β : Type v} [Monoid α] [Monoid β] : Monoid (α × β) where
  mul a b := (a.1 ⋆ b.1, a.2 ⋆ b.2)
  one := (Monoid.one, Monoid.one)
  mul_assoc a b c := by simp [Monoid.mul_assoc]
  one_mul a := by simp [Monoid.one_mul]
  mul_one a := by simp [Monoid.mul_one]

def fold {α : Type u} [Monoid α] (xs : List α) : α := xs.foldr (· ⋆ ·) Monoid.one

theorem fold_append {α : Type u} [Monoid α] (xs ys : List α) : fold (xs ++ ys) = fold xs ⋆ fold ys := by
  induction xs with
  | nil => exact (Monoid.one_mul _).symm
  | cons x xs ih => exact (congrArg (x ⋆ ·) ih).trans (Monoid.mul_assoc ..).symm

example : fold [(1, 2), (3, 4)] = (4, 6) := rfl
