class Semi (α : Type) extends Mul α where
  assoc : ∀ a b c : α, a * b * c = a * (b * c)
class Mon (α : Type) extends Semi α, One α where
  one_mul : ∀ a : α, 1 * a = a
theorem target (α : Type) [Mon α] (a b : α) : 1 * a * b = a * b := by sorry
