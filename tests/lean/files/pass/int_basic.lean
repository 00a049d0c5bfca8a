-- Integers: literals, negation, subtraction, cancellation.
example : (3 : Int) - 5 = -2 := rfl
example (a b : Int) : a - b = a + -b := Int.sub_eq_add_neg
example (a : Int) : - -a = a := Int.neg_neg a
example (a b : Int) : -(a + b) = -a + -b := Int.neg_add
example (a b c : Int) : a * (b - c) = a * b - a * c := Int.mul_sub a b c
example (a b : Int) : a + b - b = a := by omega
example (a b : Int) (h : a ≤ b) : 0 ≤ b - a := by omega
example (a b : Int) (h₁ : a ≤ b) (h₂ : b ≤ a) : a = b := Int.le_antisymm h₁ h₂

theorem square_of_difference (a b : Int) : (a - b) * (a + b) = a * a - b * b := by
  rw [Int.sub_mul, Int.mul_add, Int.mul_add, Int.mul_comm b a]
  omega
