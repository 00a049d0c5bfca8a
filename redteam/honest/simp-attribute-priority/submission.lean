def f (n : Nat) : Nat := n + 3
@[simp high] theorem f_add (a b : Nat) : f (a + b) = f a + b := by simp [f]; omega
@[simp ←] theorem three : f 0 = 3 := rfl
theorem target (n : Nat) : f (0 + n) = f 0 + n := f_add 0 n
