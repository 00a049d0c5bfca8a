-- Truncated subtraction, with and without omega.
example : 3 - 5 = 0 := rfl
example (n : Nat) : n - n = 0 := Nat.sub_self n
example (m n : Nat) : m + n - n = m := Nat.add_sub_cancel
example (m n : Nat) (h : n ≤ m) : m - n + n = m := Nat.sub_add_cancel h
example (a b c : Nat) : a - b - c = a - (b + c) := Nat.sub_sub a b c
example (a b : Nat) (h : a ≤ b) : a - b = 0 := Nat.sub_eq_zero_of_le h
example (a b c : Nat) (h : c ≤ b) (h' : b ≤ a) : a - c - (b - c) = a - b := by omega

theorem sub_lt' {m n : Nat} (hm : 0 < m) (hn : 0 < n) : m - n < m := Nat.sub_lt hm hn
