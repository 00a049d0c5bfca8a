class Monoid' (M : Type u) extends Mul M where
  one : M
  mul_assoc : ∀ a b c : M, a * b * c = a * (b * c)
  one_mul : ∀ a : M, one * a = a
  mul_one : ∀ a : M, a * one = a
theorem target [Monoid' M] (e : M) (h : ∀ a : M, e * a = a) : e = Monoid'.one := by
  rw [← Monoid'.mul_one e, h]
