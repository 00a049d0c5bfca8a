-- Euclidean division of integers.
example : (7 : Int) / 2 = 3 := rfl
example : (-7 : Int) / 2 = -4 := rfl
example : (-7 : Int) % 2 = 1 := rfl
example (a b : Int) : b * (a / b) + a % b = a := Int.mul_ediv_add_emod a b
example (a : Int) : 0 ≤ a % 3 ∧ a % 3 < 3 := by omega
example (a b : Int) (h : b ≠ 0) : 0 ≤ a % b := Int.emod_nonneg a h
example (a : Int) (h : a % 2 = 1) : (a + 1) % 2 = 0 := by omega
