-- Uniqueness of inverses in a group, with notation from the standard classes.
class Group (G : Type) extends Mul G where
  one : G
  inv : G → G
  mul_assoc : ∀ a b c : G, a * b * c = a * (b * c)
  one_mul : ∀ a : G, one * a = a
  inv_mul : ∀ a : G, inv a * a = one

namespace Group

variable {G : Type} [Group G]

theorem mul_left_cancel {a b c : G} (h : a * b = a * c) : b = c := by
  rw [← one_mul b, ← inv_mul a, mul_assoc, h, ← mul_assoc, inv_mul, one_mul]

theorem mul_one (a : G) : a * one = a := by
  apply mul_left_cancel (a := inv a)
  rw [← mul_assoc, inv_mul, one_mul]

theorem mul_inv (a : G) : a * inv a = one := by
  apply mul_left_cancel (a := inv a)
  rw [← mul_assoc, inv_mul, one_mul, mul_one]

theorem inv_unique {a b : G} (h : a * b = one) : b = inv a :=
  mul_left_cancel (h.trans (mul_inv a).symm)

end Group
