-- Shifts, bitwise operations and their evaluation.
example : 5 <<< 2 = 20 := rfl
example : 20 >>> 2 = 5 := rfl
example : 12 &&& 10 = 8 := by decide
example : 12 ||| 10 = 14 := by decide
example : 12 ^^^ 10 = 6 := by decide
example : Nat.log2 1000 = 9 := by decide
example (n : Nat) : n <<< 1 = 2 * n := by omega
example (n : Nat) : n >>> 3 = n / 8 := by omega
